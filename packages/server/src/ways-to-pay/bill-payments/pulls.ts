import type { BillPayment } from '@pesewa/connector-kit'
import { repeat, type StopRepeating } from '../../platform/repeat.ts'
import type { BillConnection } from '../../rails/connections/connectors.ts'
import { bookBill } from './bills.ts'
import { type BillParts, unallocatedMessage } from './routes.ts'
import { type ReportedBill, selectPulledUntil, selectReported, writePulledUntil } from './store.ts'

const pullEveryMs = 5 * 60_000 // interval between listings of a connection’s manual payments
/** It can take some time until a new payment appears in the rail's list. */
const readAgainMs = 2 * 3_600_000 // how far back each listing of a connection’s manual payments goes
const maxPeriodMs = 6 * 3_600_000 // period covered by one request for a list of manual payments

/**
 * Fetches the manual payments of all connections from their rails at regular intervals. Rails report each
 * payment only once, so this is the only way to find payments whose report was missed. Every worker node does
 * this.
 */
export function startBillPulls(parts: BillParts, stopping: AbortSignal): StopRepeating {
  return repeat(pullEveryMs, parts.log, async () => {
    // Payments found here are booked with the time on this node's clock.
    if (parts.clockWatch.isWrong()) return
    await Promise.all(parts.connectors.billConnections().map((each) => pullFrom(parts, each, stopping)))
  })
}

/** Fetches the manual payments of one connection. If this fails, the other connections are not affected. */
async function pullFrom(parts: BillParts, connection: BillConnection, stopping: AbortSignal): Promise<void> {
  try {
    await pullMissed(parts, connection, stopping)
  } catch (err) {
    parts.log.error(
      { err, connection: connection.connection },
      'failed to check a connection for missed manual payments',
    )
  }
}

/**
 * Reads the rail's list up to the present, starting `readAgainMs` before the time up to which it was last read,
 * and books the payments that were missed. Uses wall-clock time, as the rail does.
 */
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
      // The simulated rails may be turned off.
      const level = environment === 'live' ? 'warn' : 'debug'
      parts.log[level](
        { connection, why: listed.why },
        'failed to fetch the list of manual payments from a rail',
      )
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
  // A payment that cannot be booked does not block the others. It is tried again for as long as it is within
  // the listed period.
  for (const bill of listed.filter(({ transaction }) => !reported.has(transaction)))
    await bookOne(parts, { ...bill, ...rail, source: 'pull' }).catch((err) =>
      parts.log.error({ err, connection: rail.connection }, 'failed to book a manual payment'),
    )
}

async function bookOne(parts: BillParts, bill: ReportedBill): Promise<void> {
  const { connection } = bill
  const booked = await parts.db.transaction((tx) => bookBill(tx, parts, bill))
  if (booked !== 'known') parts.log.info({ connection }, 'found a manual payment after missing its notice')
  if (booked === 'unallocated') parts.log.warn({ connection }, unallocatedMessage)
}
