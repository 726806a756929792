import { repeat, type StopRepeating } from '../platform/repeat.ts'
import type { BillPayment } from '../providers/connector.ts'
import type { BillConnection } from '../providers/connectors.ts'
import { bookBill } from './bills.ts'
import type { BillParts } from './parts.ts'
import { unallocated } from './routes.ts'
import { type ReportedBill, selectPulledUntil, selectReported, writePulledUntil } from './store.ts'

const pullEveryMs = 5 * 60_000 // limit: how often a list of payments by hand is read
/** A list may show a payment late. */
const readAgainMs = 2 * 3_600_000 // limit: how far back a list of payments by hand is read again
const maxPeriodMs = 6 * 3_600_000 // limit: the time that one request for a list covers

/** Rails report each payment once; what was missed is found in their lists. Each node that works reads them. */
export function startBillPulls(parts: BillParts, stopping: AbortSignal): StopRepeating {
  return repeat(pullEveryMs, parts.log, async () => {
    // What is found is booked at a time by this clock.
    if (parts.clockWatch.isAmiss()) return
    await Promise.all(parts.connectors.takingBills().map((each) => pullFrom(parts, each, stopping)))
  })
}

/** One connection whose list cannot be read holds up no other. */
async function pullFrom(parts: BillParts, connection: BillConnection, stopping: AbortSignal): Promise<void> {
  try {
    await pullMissed(parts, connection, stopping)
  } catch (err) {
    parts.log.error({ err, connection: connection.connection }, 'a list of payments by hand was not read')
  }
}

/** Reads the list from where it was read before up to now. By real time: it is the rail's. */
export async function pullMissed(
  parts: BillParts,
  { environment, connection, providerId, bills }: BillConnection,
  stopping: AbortSignal,
): Promise<void> {
  const { list, listedForMs = 0 } = bills
  if (!list) return
  const now = Date.now()
  const pulledUntil = await selectPulledUntil(parts.db, environment, connection)
  const oldest = now - listedForMs
  let from = Math.max(oldest, (pulledUntil?.getTime() ?? oldest) - readAgainMs)
  while (from < now && !stopping.aborted) {
    const until = Math.min(now, from + maxPeriodMs)
    const listed = await list(new Date(from), new Date(until))
    if ('outcome' in listed) {
      // The simulated rails may be off.
      const level = environment === 'live' ? 'warn' : 'debug'
      parts.log[level]({ connection, why: listed.why }, 'a rail does not list the payments by hand')
      return
    }
    await bookMissed(parts, { environment, connection, providerId }, listed)
    await parts.db.transaction((tx) => writePulledUntil(tx, environment, connection, new Date(until)))
    from = until
  }
}

async function bookMissed(
  parts: BillParts,
  rail: Omit<BillConnection, 'bills'>,
  listed: BillPayment[],
): Promise<void> {
  const reported = await selectReported(
    parts.db,
    rail,
    listed.map(({ transaction }) => transaction),
  )
  // One that cannot be booked now holds up no other; the list is read again for a while.
  for (const bill of listed.filter(({ transaction }) => !reported.has(transaction)))
    await bookOne(parts, { ...bill, ...rail, source: 'pull' }).catch((err) =>
      parts.log.error({ err, connection: rail.connection }, 'a payment by hand could not be booked'),
    )
}

async function bookOne(parts: BillParts, bill: ReportedBill): Promise<void> {
  const { connection } = bill
  const booked = await parts.db.transaction((tx) => bookBill(tx, parts, bill))
  if (booked !== 'known') parts.log.info({ connection }, 'a payment by hand was missed')
  if (booked === 'unallocated') parts.log.warn({ connection }, unallocated)
}
