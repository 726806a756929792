import { endChildren } from './children.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'

/**
 * Works with a database until that has ended, or a signal comes; then nothing of it is left, neither processes nor data. Returns the exit
 * code that `work` returns, or the signal's.
 */
export async function withBenchDatabase(
  databaseUrl: string | undefined,
  folder: string | undefined,
  work: (database: BenchDatabase) => Promise<number>,
): Promise<number> {
  const signalled = new Promise<number>((resolve) => {
    // Every one of them: a second Ctrl-C must not leave a database server behind.
    process.on('SIGINT', () => resolve(130))
    process.on('SIGTERM', () => resolve(143))
  })
  const opening = openBenchDatabase(databaseUrl, folder)
  try {
    return await Promise.race([signalled, opening.then(work)])
  } finally {
    await endChildren()
    await opening.then((database) => database.close())
  }
}
