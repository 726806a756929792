import type { EventType } from '../../events/types.ts'
import {
  cancelRecall,
  impossibleAmount,
  payOut,
  recall,
  refundPayment,
  reverse,
  small,
  topUp,
  transferMoney,
} from './trigger-money.ts'
import {
  cancel,
  cancelCode,
  cancelLink,
  createCode,
  createLink,
  createOtp,
  createSession,
  dialOtp,
  expireLink,
  expireOtp,
  pay,
  payCode,
  payLink,
} from './trigger-payers.ts'
import {
  approves,
  hasNoMoney,
  isAboutObject,
  isAboutOrder,
  type MatchEvent,
  type Trigger,
} from './trigger-shop.ts'

/** A message to the payer. Its digits make the simulated rail decline the refund. */
const failsBy = '001'

export const triggers: Partial<Record<EventType, Trigger>> = {
  'checkout_session.created': async (shop) => isAboutObject(await createSession(shop)),
  'checkout_session.completed': async (shop) => isAboutObject(await pay(shop, approves)),
  'checkout_session.cancelled': async (shop) => isAboutObject(await cancel(shop)),
  'payment_code.created': async (shop) => isAboutObject(await createCode(shop)),
  'payment_code.processed': async (shop) => isAboutObject(await payCode(shop)),
  'payment_code.completed': async (shop) => isAboutObject(await payCode(shop)),
  'payment_code.expired': async (shop) => isAboutObject(await createCode(shop, '1s')),
  'payment_code.cancelled': async (shop) => isAboutObject(await cancelCode(shop)),
  'payment_link.created': async (shop) => isAboutObject(await createLink(shop)),
  'payment_link.completed': async (shop) => isAboutObject(await payLink(shop)),
  'payment_link.expired': async (shop) => isAboutObject(await expireLink(shop)),
  'payment_link.cancelled': async (shop) => isAboutObject(await cancelLink(shop)),
  'ussd_otp.created': async (shop) => isAboutObject(await createOtp(shop)),
  'ussd_otp.verified': async (shop) => isAboutObject(await dialOtp(shop)),
  'ussd_otp.expired': async (shop) => isAboutObject(await expireOtp(shop)),
  'payment.created': async (shop) => isAboutOrder(await pay(shop, approves)),
  'payment.processing': async (shop) => isAboutOrder(await pay(shop, approves)),
  'payment.completed': async (shop) => isAboutOrder(await pay(shop, approves)),
  'payment.failed': async (shop) => isAboutOrder(await pay(shop, hasNoMoney)),
  'payout.created': async (shop) => isAboutObject(await payOut(shop, approves)),
  'payout.processing': async (shop) => isAboutObject(await payOut(shop, approves)),
  'payout.completed': async (shop) => isAboutObject(await payOut(shop, approves)),
  'payout.failed': async (shop) => isAboutObject(await payOut(shop, hasNoMoney)),
  'recall.created': async (shop) => isAboutObject(await recall(shop)),
  'recall.cancelled': async (shop) => isAboutObject(await cancelRecall(shop)),
  'refund.created': async (shop) => isAboutObject(await refundPayment(shop)),
  'refund.processing': async (shop) => isAboutObject(await refundPayment(shop)),
  'refund.completed': async (shop) => isAboutObject(await refundPayment(shop)),
  'refund.failed': async (shop) => isAboutObject(await refundPayment(shop, failsBy)),
  'internal_transfer.created': async (shop) => isAboutObject(await transferMoney(shop, small)),
  'internal_transfer.completed': async (shop) => isAboutObject(await transferMoney(shop, small)),
  'internal_transfer.failed': async (shop) => isAboutObject(await transferMoney(shop, impossibleAmount)),
  'settlement.created': async (shop) => isAboutObject(await topUp(shop)),
  'settlement.reversed': async (shop) => isAboutObject(await reverse(shop)),
  'financial_transaction.created': async (shop) => ofPosting(await transferMoney(shop, small)),
}

const ofPosting =
  ({ financialTransactionReference }: { financialTransactionReference: string | null }): MatchEvent =>
  ({ data }) =>
    'reference' in data && data.reference === financialTransactionReference
