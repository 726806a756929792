import type { EventType } from '../../events/types.ts'
import {
  cancelRecall,
  giveBack,
  moreThanAnybodyHas,
  move,
  payOut,
  recall,
  reverse,
  small,
  topUp,
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
  endOtp,
  outliveLink,
  pay,
  payCode,
  payLink,
} from './trigger-payers.ts'
import { about, approves, hasNoMoney, ofOrder, type Recognise, type Trigger } from './trigger-shop.ts'

/** Digits that make the simulated rail decline a refund. */
const failsBy = '001'

export const triggers: Partial<Record<EventType, Trigger>> = {
  'checkout_session.created': async (shop) => about(await createSession(shop)),
  'checkout_session.completed': async (shop) => about(await pay(shop, approves)),
  'checkout_session.cancelled': async (shop) => about(await cancel(shop)),
  'payment_code.created': async (shop) => about(await createCode(shop)),
  'payment_code.processed': async (shop) => about(await payCode(shop)),
  'payment_code.completed': async (shop) => about(await payCode(shop)),
  'payment_code.expired': async (shop) => about(await createCode(shop, '1s')),
  'payment_code.cancelled': async (shop) => about(await cancelCode(shop)),
  'payment_link.created': async (shop) => about(await createLink(shop)),
  'payment_link.completed': async (shop) => about(await payLink(shop)),
  'payment_link.expired': async (shop) => about(await outliveLink(shop)),
  'payment_link.cancelled': async (shop) => about(await cancelLink(shop)),
  'ussd_otp.created': async (shop) => about(await createOtp(shop)),
  'ussd_otp.verified': async (shop) => about(await dialOtp(shop)),
  'ussd_otp.expired': async (shop) => about(await endOtp(shop)),
  'payment.created': async (shop) => ofOrder(await pay(shop, approves)),
  'payment.processing': async (shop) => ofOrder(await pay(shop, approves)),
  'payment.completed': async (shop) => ofOrder(await pay(shop, approves)),
  'payment.failed': async (shop) => ofOrder(await pay(shop, hasNoMoney)),
  'payout.created': async (shop) => about(await payOut(shop, approves)),
  'payout.processing': async (shop) => about(await payOut(shop, approves)),
  'payout.completed': async (shop) => about(await payOut(shop, approves)),
  'payout.failed': async (shop) => about(await payOut(shop, hasNoMoney)),
  'recall.created': async (shop) => about(await recall(shop)),
  'recall.cancelled': async (shop) => about(await cancelRecall(shop)),
  'refund.created': async (shop) => about(await giveBack(shop)),
  'refund.processing': async (shop) => about(await giveBack(shop)),
  'refund.completed': async (shop) => about(await giveBack(shop)),
  'refund.failed': async (shop) => about(await giveBack(shop, failsBy)),
  'internal_transfer.created': async (shop) => about(await move(shop, small)),
  'internal_transfer.completed': async (shop) => about(await move(shop, small)),
  'internal_transfer.failed': async (shop) => about(await move(shop, moreThanAnybodyHas)),
  'settlement.created': async (shop) => about(await topUp(shop)),
  'settlement.reversed': async (shop) => about(await reverse(shop)),
  'financial_transaction.created': async (shop) => ofPosting(await move(shop, small)),
}

const ofPosting =
  ({ financialTransactionReference }: { financialTransactionReference: string | null }): Recognise =>
  ({ data }) =>
    data.reference === financialTransactionReference
