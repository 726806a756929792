import { joinOrStartDatabase } from '../../database.ts'
import { prepareDatabase } from '../../platform/db/months.ts'
import { readSettings } from '../../slices.ts'

/** `pesewa migrate`: applies the missing migrations, prints their progress, and returns their names. */
export async function migrateDatabase() {
  const database = await joinOrStartDatabase(readSettings(process.env))
  try {
    const report = (progress: string) => process.stderr.write(`${progress}\n`)
    return { applied: await prepareDatabase(database.connection, report) }
  } finally {
    await database.stop()
  }
}
