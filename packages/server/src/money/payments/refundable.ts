import { must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { Refusal } from '../../platform/refusals.ts'
import { lockPayments, type Payment, writeRefunded } from './store.ts'

export { writeRefunded }

const maxRefunds = 20 // limit: refunds per payment, excluding failed and cancelled ones

/** Initial values of a payment's refund columns. */
export const unrefunded = {
  refundCount: 0,
  refundReserved: 0n,
  refunded: 0n,
  refundExcess: 0n,
  lateReceived: 0n,
} as const

/** Returns the amount of a payment, in minor units, that can still be refunded. */
export function refundable(payment: Payment): bigint {
  const left = leftOf(payment)
  return left > 0n ? left : 0n
}

/**
 * Returns whether the refunds together would exceed the amount received, assuming that each of them reaches the
 * payer.
 */
export const isOverRefunded = (payment: Payment): boolean => leftOf(payment) < 0n

const leftOf = (payment: Payment) => received(payment) - payment.refundReserved - payment.refundExcess

/** Returns the amount received. For a failed payment, this is the amount that arrived late. */
export const received = ({ status, amount, lateReceived }: Payment) =>
  status === 'completed' ? amount : lateReceived

/**
 * Returns the locked payment with another refund reserved.
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

/** Returns the locked payment without the reservation of a failed or cancelled refund. */
export const withoutRefund = <P extends Payment>(payment: P, amount: bigint, at: Date): P => ({
  ...payment,
  refundCount: payment.refundCount - 1,
  refundReserved: payment.refundReserved - amount,
  updatedAt: at,
})

/** Returns the locked payment with a completed refund added to the total refunded. */
export const afterRefund = <P extends Payment>(payment: P, amount: bigint, at: Date): P => ({
  ...payment,
  refunded: payment.refunded + amount,
  updatedAt: at,
})

/**
 * Reserves as much as possible of the amount of a refund that was reported as failed although it reached the
 * payer. Returns the locked payment and the amount that was reserved.
 */
export function afterLateRefund<P extends Payment>(payment: P, amount: bigint, at: Date) {
  const left = refundable(payment)
  const reserved = amount < left ? amount : left
  const changed: P = {
    ...payment,
    refundReserved: payment.refundReserved + reserved,
    // This money has been paid out even if other refunds release their reservations.
    refundExcess: payment.refundExcess + (amount - reserved),
    updatedAt: at,
  }
  return { payment: changed, reserved }
}

/**
 * Locks the payments of the given refunds and applies a change to each. Returns the payments; the map's keys
 * are their global names.
 *
 * @param locked called when the payments are locked, before the changes
 */
export async function changePayments<R extends Scoped<{ paymentId: string }>>(
  tx: Tx,
  refunds: R[],
  change: (payment: Scoped<Payment>, refund: R) => Scoped<Payment>,
  locked: () => Promise<void> = async () => {},
): Promise<Map<string, Scoped<Payment>>> {
  const payments = byGlobalName(
    await lockPayments(
      tx,
      refunds.map(({ scope, paymentId: id }) => ({ scope, id })),
    ),
  )
  await locked()
  for (const refund of refunds) {
    const name = globalName(refund.scope, refund.paymentId)
    payments.set(name, change(must(payments.get(name), 'payment of a refund'), refund))
  }
  if (payments.size > 0) writeRefunded(tx, [...payments.values()])
  return payments
}

/**
 * Returns the `refund` field of a payment as shown in the API. `money` formats an amount in the payment's
 * currency.
 */
export function presentRefunded<Money>(payment: Payment, money: (value: bigint) => Money) {
  const { refunded } = payment
  const status = refunded === 0n ? 'none' : refunded < received(payment) ? 'partial' : 'full'
  return { status, refunded: money(refunded), refundable: money(refundable(payment)) } as const
}
