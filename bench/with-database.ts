import { endChildren } from './children.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'

/**
 * Runs `work` with a database until it finishes or a signal arrives, then stops all processes and removes the
 * data. Returns the exit code of `work`, or the signal's.
 */
export async function withBenchDatabase(
  databaseUrl: string | undefined,
  folder: string | undefined,
  work: (database: BenchDatabase) => Promise<number>,
): Promise<number> {
  const signalled = new Promise<number>((resolve) => {
    // Also handles repeated signals: a second Ctrl-C must not leave a database server behind.
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
