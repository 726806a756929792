import { joinDatabase } from '../../database.ts'
import { type Database, type HomeTx, homeOf, openDatabase } from '../../platform/db/database.ts'
import { checkSchema } from '../../platform/db/migrate.ts'
import { masterKeysOf } from '../../platform/encryption/master-key.ts'
import { MasterKeyError, openKeyring } from '../../platform/encryption/open-keyring.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import { readSettings, type Settings } from '../../slices.ts'

export const inHomeTransaction = <T>(work: (tx: HomeTx) => Promise<T>): Promise<T> =>
  withDatabase((db) => homeOf(db).transaction(work))

/**
 * Runs `work` with the database of the running service. If the service is not running, starts the database for
 * as long as `work` runs.
 */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env)
  const database = await joinDatabase(settings)
  const hearing = stopOnSignal(() => database.stop(), 'rolling back uncommitted changes')
  const encryption = openKeyring(
    database.connection,
    masterKeysOf(settings, () => existingSecretKey(settings)),
  )
  const db = openDatabase(database.connection, { maxConnections: 2, encryption, onIdleError: () => {} })
  try {
    await checkSchema(db.pool)
    return await work(db)
  } catch (error) {
    // Errors caused by stopping the server were already reported.
    if (hearing.isEnding()) await new Promise(() => {})
    throw error
  } finally {
    await db.close()
    await database.stop()
    hearing.stop()
  }
}

/** Returns the service's secret. Never creates one, because the service has another. */
export function existingSecretKey(settings: Settings): string {
  if (!hasSecretKey(settings))
    throw new MasterKeyError('SECRET_KEY is not set: set it to that of the service')
  return readSecretKey(settings)
}

/**
 * On SIGINT or SIGTERM, waits for `stop` so that an embedded server shuts down cleanly, then exits. A second
 * signal exits immediately.
 *
 * @param consequence printed after "Interrupted:"
 */
export function stopOnSignal(stop: () => Promise<unknown>, consequence: string) {
  const exitCodes = { SIGINT: 130, SIGTERM: 143 }
  let isEnding = false
  const hear = (signal: keyof typeof exitCodes) => {
    const end = () => process.exit(exitCodes[signal])
    if (isEnding) end()
    isEnding = true
    process.stderr.write(`\nInterrupted: ${consequence}.\n`)
    void stop().then(end, end)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, hear)
  return {
    isEnding: () => isEnding,
    stop() {
      for (const signal of signals) process.off(signal, hear)
    },
  }
}
