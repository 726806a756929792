import { joinDatabase, type OwnedDatabase } from '../../database.ts'
import { type Database, openDatabase, type Tx } from '../../platform/db/database.ts'
import { checkSchema } from '../../platform/db/migrate.ts'
import { readSettings } from '../../slices.ts'

export const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  withDatabase((db) => db.transaction(work))

/** The database of the running program, or one that runs for as long as the work does. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const database = await joinDatabase(readSettings(process.env))
  const hearing = endOnSignal(database)
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

/** At Ctrl-C, or SIGTERM, a server of our own ends in order, and the command at once; a second one does not wait for it. */
function endOnSignal(database: Pick<OwnedDatabase, 'stop'>) {
  const exitCodes = { SIGINT: 130, SIGTERM: 143 }
  let isEnding = false
  const hear = (signal: keyof typeof exitCodes) => {
    const end = () => process.exit(exitCodes[signal])
    if (isEnding) end()
    isEnding = true
    process.stderr.write('\nInterrupted: what was not committed is undone.\n')
    void database.stop().then(end, end)
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
