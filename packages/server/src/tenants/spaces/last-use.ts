import type { HomeDatabase, HomeTx } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'

const saveEveryMs = 30_000

/**
 * Collects the tokens or sessions that have been used, and saves their last use periodically, so that no
 * request has to wait for a write.
 */
export function trackLastUse(
  home: HomeDatabase,
  log: Log,
  save: (tx: HomeTx, ids: string[], at: Date) => Promise<unknown>,
) {
  let used = new Set<string>()
  const write = async () => {
    if (used.size === 0) return
    const ids = [...used]
    used = new Set()
    await home
      .transaction((tx) => save(tx, ids, new Date()))
      .catch((err) => log.warn({ err }, 'failed to save the last-use times of tokens or sessions'))
  }
  const timer = setInterval(() => void write(), saveEveryMs)
  timer.unref()
  return {
    note: (id: string) => void used.add(id),
    stop: async () => {
      clearInterval(timer)
      await write()
    },
  }
}
