import type { Reader } from '../../platform/db/database.ts'
import type { Gauge } from '../../platform/metrics.ts'
import type { Platform } from '../../platform/platform.ts'

const status = async (db: Reader) =>
  (await import('../../platform/encryption/key-changes.ts')).selectKeyStatus(db)

const gauges: Gauge[] = [
  {
    name: 'pesewa_encryption_on',
    help: '1 if the numbers and names of payers and payees are encrypted.',
    read: async (db) => ((await status(db)).isOn ? 1 : 0),
  },
  {
    name: 'pesewa_reencryption_rows_left',
    help: 'Rows that the job has yet to examine, which encrypts existing data; an estimate.',
    async read(db) {
      const { runStartedAt, runFinishedAt, rowsDone, rowsEstimated } = await status(db)
      if (!runStartedAt || runFinishedAt) return 0
      return Math.max(1, Number(rowsEstimated ?? 0n) - Number(rowsDone))
    },
  },
]

export const slice = {
  folder: 'operations/data-keys',
  gauges,
  checks: async () => (await import('./checks.ts')).encryptedChecks(),
  async jobs({ db }: Platform, signal: AbortSignal) {
    const { reencrypt } = await import('./reencryption.ts')
    const { continueLater, reencryptionJob } = await import('./keys.ts')
    return {
      async [reencryptionJob]() {
        const waitMs = await reencrypt(db, { signal })
        if (waitMs > 0) await db.transaction((tx) => continueLater(tx, waitMs))
      },
    }
  },
}
