import { openOperatorApi } from '../../operator-api.ts'
import type { Settings } from '../../slices.ts'
import { withDatabase } from './command-database.ts'

/** Runs `work` with a `fetch` that calls the routes for operators in this process, on the service's database. */
export const inThisProcess = <T>(
  settings: Settings,
  operator: string,
  work: (fetch: typeof globalThis.fetch) => Promise<T>,
): Promise<T> =>
  withDatabase(async (db) => {
    const { fetch, close } = openOperatorApi(settings, db, operator)
    try {
      return await work(fetch)
    } finally {
      await close()
    }
  })
