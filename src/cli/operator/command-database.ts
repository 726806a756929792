import { joinDatabase } from '../../database.ts'
import { type Database, openDatabase, type Tx } from '../../platform/db/database.ts'
import { checkSchema } from '../../platform/db/migrate.ts'
import { readSettings } from '../../slices.ts'

export const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  withDatabase((db) => db.transaction(work))

/** The database of the running program, or one that runs for as long as the work does. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const database = await joinDatabase(readSettings(process.env))
  const db = openDatabase(database.connection, { maxConnections: 2, onIdleError: () => {} })
  try {
    await checkSchema(db.pool)
    return await work(db)
  } finally {
    await db.close()
    await database.stop()
  }
}
