import type { Database, Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectUnsummedAccounts, sumNextLines } from './clearing-day-store.ts'

// Each line is summed once, in sequence order, after it has been booked. Booking never waits for a sum, and a
// request sums only the lines that were booked since the last request.

const maxLinesAtOnce = 20_000 // clearing account lines summed by one overview request

const maxAccounts = 200 // clearing accounts summed by one overview request

/** Sums the lines that were booked since the last request. Returns true if none are left. */
export async function sumNewLines(db: Database, scope: Scope): Promise<boolean> {
  let left = maxLinesAtOnce
  for (const account of await selectUnsummedAccounts(db, scope, maxAccounts)) {
    if (left <= 0) break
    left -= await db.transaction((tx) => sumNextLines(tx, account, left))
  }
  return (await selectUnsummedAccounts(db, scope, 1)).length === 0
}

/** Sums the remaining lines of all Spaces, so that even the first request of a Space in months is fast. */
export async function sumNewLinesOfAllSpaces(db: Database, stopping: AbortSignal): Promise<void> {
  for (const account of await selectUnsummedAccounts(db, undefined, maxAccountsAtOnce))
    while (!stopping.aborted) {
      const step = (tx: Tx) => sumNextLines(tx, account, maxLinesAtOnce)
      if ((await db.transaction(step)) < maxLinesAtOnce) break
    }
}

const maxAccountsAtOnce = 10_000 // clearing accounts summed by the hourly job
