import { formatMoney, must } from '@pesewa/values'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { shownAccount } from '../../money/payments/channel.ts'
import type { Payment } from '../../money/payments/store.ts'
import { selectAutomatic, selectCompleted } from '../../money/refunds/store.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Visit } from './page-state.ts'
import { formatDay } from './pages/moments.ts'
import type { MoneyBack } from './pages/view.ts'

/**
 * Returns the money of a paid session that was or is being returned to its payer: payments after the first one,
 * and completed refunds of the payment that paid the session.
 */
export async function findMoneyBack(db: Reader, visit: Visit): Promise<MoneyBack[]> {
  const { scope, session, space, language, attempts } = visit
  const paid = must(visit.attempt, 'completed attempt')
  const money = (value: bigint) => formatMoney({ currency: session.currency, value }, language)
  const day = (at: Date) => formatDay(at, language, timeZoneOf(space.country))
  const twice = attempts.filter(({ id, status }) => status === 'completed' && id !== paid.id)
  const returned = await Promise.all(
    twice.map(async (payment): Promise<MoneyBack> => {
      const known = { kind: 'twice', amount: money(payment.amount), account: shownAccount(payment) } as const
      const end = await endOfReturn(db, visit, payment)
      return end instanceof Date ? { ...known, state: 'done', date: day(end) } : { ...known, state: end }
    }),
  )
  const refunds = paid.refunded > 0n ? await selectCompleted(db, scope, paid.id) : []
  return [
    ...returned,
    ...refunds.map(({ net, completedAt, updatedAt }) => ({
      kind: 'refund' as const,
      amount: money(net),
      account: shownAccount(paid),
      date: day(completedAt ?? updatedAt),
    })),
  ]
}

/** Returns when a payment was returned in full, or whether that is pending or has failed. */
async function endOfReturn(
  db: Reader,
  { scope }: Visit,
  { id, refunded, amount }: Payment,
): Promise<Date | 'pending' | 'failed'> {
  if (refunded === amount) {
    const last = must((await selectCompleted(db, scope, id)).at(-1), 'completed refund')
    return last.completedAt ?? last.updatedAt
  }
  const [automatic] = await selectAutomatic(db, [{ scope, paymentId: id }])
  return automatic?.status === 'failed' ? 'failed' : 'pending'
}
