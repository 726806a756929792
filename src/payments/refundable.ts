import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import { lockPayments, type Payment, writeRefunded } from './store.ts'

export { writeRefunded }

const maxRefunds = 20 // limit: refunds of a payment that have not failed or been cancelled

/** What no refund has touched. */
export const unrefunded = {
  refundCount: 0,
  refundReserved: 0n,
  refunded: 0n,
  refundExcess: 0n,
  lateReceived: 0n,
} as const

/** What of a payment can still go back to its payer, in minor units. */
export function refundable(payment: Payment): bigint {
  const left = leftOf(payment)
  return left > 0n ? left : 0n
}

/** Whether more goes back than came in once all that counts against it has reached its payer. */
export const isGivenBackTwice = (payment: Payment): boolean => leftOf(payment) < 0n

const leftOf = (payment: Payment) => received(payment) - payment.refundReserved - payment.refundExcess

/** What came in: of one that failed only what arrived late. */
export const received = ({ status, amount, lateReceived }: Payment) =>
  status === 'completed' ? amount : lateReceived

/**
 * The payment, locked, with one more refund that counts against it.
 *
 * @throws Refusal `refund_exceeds_payment`, `refund_limit_reached`
 */
export function withRefund<P extends Payment>(payment: P, amount: bigint, at: Date): P {
  if (amount === 0n || amount > refundable(payment)) throw new Refusal('refund_exceeds_payment')
  if (payment.refundCount >= maxRefunds) throw new Refusal('refund_limit_reached')
  return {
    ...payment,
    refundCount: payment.refundCount + 1,
    refundReserved: payment.refundReserved + amount,
    updatedAt: at,
  }
}

/** The payment, locked, after a refund of it came to nothing. */
export const withoutRefund = <P extends Payment>(payment: P, amount: bigint, at: Date): P => ({
  ...payment,
  refundCount: payment.refundCount - 1,
  refundReserved: payment.refundReserved - amount,
  updatedAt: at,
})

/** The payment, locked, after a refund of it reached its payer. */
export const afterRefund = <P extends Payment>(payment: P, amount: bigint, at: Date): P => ({
  ...payment,
  refunded: payment.refunded + amount,
  updatedAt: at,
})

/** The payment, locked, after a refund of it reached its payer although it had failed; and what of its amount is reserved. */
export function afterLateRefund<P extends Payment>(payment: P, amount: bigint, at: Date) {
  const left = refundable(payment)
  const reserved = amount < left ? amount : left
  const changed: P = {
    ...payment,
    refundReserved: payment.refundReserved + reserved,
    // When what was reserved by others is free again, this is gone all the same.
    refundExcess: payment.refundExcess + (amount - reserved),
    updatedAt: at,
  }
  return { payment: changed, reserved }
}

/**
 * Locks the payments of some refunds, and writes each as it is after all of these. Returns them, by `nameIn`.
 *
 * @param locked is called in between
 */
export async function changePayments<R extends Scoped<{ paymentId: string }>>(
  tx: Tx,
  refunds: R[],
  change: (payment: Scoped<Payment>, refund: R) => Scoped<Payment>,
  locked: () => Promise<void> = async () => {},
): Promise<Map<string, Scoped<Payment>>> {
  const payments = byName(
    await lockPayments(
      tx,
      refunds.map(({ scope, paymentId: id }) => ({ scope, id })),
    ),
  )
  await locked()
  for (const refund of refunds) {
    const name = nameIn(refund.scope, refund.paymentId)
    payments.set(name, change(must(payments.get(name), 'payment of a refund'), refund))
  }
  if (payments.size > 0) await writeRefunded(tx, [...payments.values()])
  return payments
}

/** As the API shows it on a payment; `money` makes an amount in its currency. */
export function presentRefunded<Money>(payment: Payment, money: (value: bigint) => Money) {
  const { refunded } = payment
  const status = refunded === 0n ? 'none' : refunded < received(payment) ? 'partial' : 'full'
  return { status, refunded: money(refunded), refundable: money(refundable(payment)) } as const
}
