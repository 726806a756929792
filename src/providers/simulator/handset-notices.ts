import { formatMoney } from '../../countries/money.ts'
import type { Shown } from './handset-store.ts'
import type { Handset } from './handsets.ts'

/** What a network writes to its customer when a collection has ended. */
export function noticeOf(network: string, ended: Shown): Handset['notices'][number] {
  const isGood = ended.status === 'SUCCESSFUL'
  return {
    id: ended.reference,
    network,
    isGood,
    text: isGood ? paid(ended) : failed(ended),
    time: ended.endedAt!,
  }
}

const paid = (ended: Shown) =>
  `You paid ${amountOf(ended)} for ${ended.message || 'a payment'}. Transaction ${ended.financialTransactionId}.`

const failed = (ended: Shown) =>
  `Your payment of ${amountOf(ended)} for ${ended.message || 'a payment'} failed: ${
    reasons[ended.reason ?? ''] ?? 'the network could not make it'
  }.`

const amountOf = ({ currency, amountMinor }: Shown) => formatMoney({ currency, value: amountMinor })

const reasons: Readonly<Record<string, string>> = {
  NOT_ENOUGH_FUNDS: 'you have not enough money',
  APPROVAL_REJECTED: 'you declined it',
  EXPIRED: 'you did not answer in time',
  SENDER_ACCOUNT_NOT_ACTIVE: 'your account is blocked',
  PAYER_NOT_FOUND: 'this number has no account',
  PAYER_LIMIT_REACHED: 'you have reached your limit',
  COULD_NOT_PERFORM_TRANSACTION: 'it could not be confirmed',
}
