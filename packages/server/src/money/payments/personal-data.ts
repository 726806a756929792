import { referenceTime } from '../../ledger/accounts/reference.ts'
import { sql } from '../../platform/db/sql.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { accountFields } from '../../rails/connections/account.ts'
import { erased, personOf } from '../../tenants/retention/person.ts'
import {
  hasAccount,
  inRecordPage,
  type Obligation,
  type PersonalRecords,
} from '../../tenants/retention/records.ts'
import { erasePayers } from './erasing-store.ts'
import { isInFlight, presentPayment } from './payments.ts'
import { refundable } from './refundable.ts'
import { paymentIds } from './resources.ts'
import { type Payment, payments } from './store.ts'

/** The payers of payments. `refundWindowMs` is how long after completion a payment can be refunded. */
export const payerRecords = ({ refundWindowMs }: { refundWindowMs: number }): PersonalRecords => ({
  type: 'payment',
  retention: 'financial_records',
  async select(db, scope, which, page, now) {
    const ofPayer = inRecordPage(which, page, (person) =>
      hasAccount(scope, sql`payer_account`, sql`channel_type = 'momo'`, person),
    )
    const rows = await db.query(sql`${payments.of(scope)} ${ofPayer}`)
    return rows.map((row) => ({
      key: row.id,
      id: showId(paymentIds, row.id),
      at: row.createdAt,
      person: personOf(row.channelType, row.providerId, row.payerAccount),
      isErased: isErased(row),
      obligation: obligationOf(row, refundWindowMs, now),
      data: dataOf(scope, row),
    }))
  },
  erase: erasePayers,
})

const isErased = ({ payerAccount, payerFingerprint, payerMask, cardScheme }: Payment) =>
  payerAccount === erased || (!payerAccount && !payerFingerprint && !payerMask && !cardScheme)

function obligationOf(payment: Payment, refundWindowMs: number, now: Date): Obligation | null {
  if (isInFlight(payment) || payment.refundReserved > payment.refunded)
    return { reason: 'in_progress', until: null }
  if (refundable(payment) === 0n) return null
  // Late payments have no posting of their own.
  const paidAt = payment.ledgerReference ? referenceTime(payment.ledgerReference) : payment.updatedAt
  const until = new Date(paidAt.getTime() + refundWindowMs)
  return until > now ? { reason: 'refundable', until } : null
}

function dataOf(scope: Scope, payment: Payment): object {
  const { ownershipGraph: _, channel, ...shown } = presentPayment(scope, payment)
  const { channelType, payerAccount } = payment
  const account =
    channelType === 'card' || !payerAccount ? {} : { [accountFields[channelType]]: payerAccount }
  return { ...shown, channel: { ...channel, ...account } }
}
