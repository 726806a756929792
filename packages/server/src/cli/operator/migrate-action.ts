import { joinOrStartDatabase } from '../../database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { readSettings } from '../../slices.ts'

/** `pesewa migrate`: applies the missing migrations and returns their names. */
export async function migrateDatabase() {
  const database = await joinOrStartDatabase(readSettings(process.env))
  try {
    return { applied: await migrate(database.connection) }
  } finally {
    await database.stop()
  }
}
