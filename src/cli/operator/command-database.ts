import { joinDatabase } from '../../database.ts'
import { type Database, openDatabase, type Tx } from '../../platform/db/database.ts'
import { checkSchema } from '../../platform/db/migrate.ts'
import { readSettings } from '../../slices.ts'

export const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  withDatabase((db) => db.transaction(work))

/** The database of the running program, or one that runs for as long as the work does. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const database = await joinDatabase(readSettings(process.env))
  const hearing = endOnSignal(() => database.stop(), 'what was not committed is undone')
  const db = openDatabase(database.connection, { maxConnections: 2, onIdleError: () => {} })
  try {
    await checkSchema(db.pool)
    return await work(db)
  } catch (error) {
    // What fails because its server was stopped is said already.
    if (hearing.isEnding()) await new Promise(() => {})
    throw error
  } finally {
    await db.close()
    await database.stop()
    hearing.stop()
  }
}

/**
 * At Ctrl-C, or SIGTERM, the command ends when `stop` has: so a server of our own ends in order. A second one does not wait for
 * it.
 *
 * @param consequence what a person reads after "Interrupted:"
 */
export function endOnSignal(stop: () => Promise<unknown>, consequence: string) {
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
