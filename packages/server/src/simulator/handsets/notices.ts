import { formatMoney, must } from '@pesewa/values'
import type { HandsetEntry } from './store.ts'

export type Notice = { id: string; network: string; isGood: boolean; text: string; time: Date }

/**
 * Returns the network's message to its customer about a collection that has ended or about money that was
 * received.
 */
export function noticeOf(network: string, ended: HandsetEntry): Notice {
  const isGood = ended.status === 'SUCCESSFUL'
  return {
    id: ended.reference,
    network,
    isGood,
    text: textOf(ended),
    time: must(ended.endedAt, 'end of an ended request'),
  }
}

function textOf({
  kind,
  status,
  amountMinor,
  currency,
  message,
  reason,
  financialTransactionId,
}: HandsetEntry) {
  const amount = formatMoney({ currency, value: amountMinor })
  const what = message || 'a payment'
  if (status === 'FAILED')
    return `Your payment of ${amount} for ${what} failed: ${reasons[reason ?? ''] ?? 'the network could not process it'}.`
  const moved = kind === 'collection' ? `You paid ${amount} for ${what}` : `You received ${amount}: ${what}`
  return `${moved}. Transaction ${financialTransactionId}.`
}

const reasons: Readonly<Record<string, string>> = {
  NOT_ENOUGH_FUNDS: 'you do not have enough money',
  APPROVAL_REJECTED: 'you declined it',
  EXPIRED: 'you did not answer in time',
  SENDER_ACCOUNT_NOT_ACTIVE: 'your account is blocked',
  PAYER_NOT_FOUND: 'this number has no account',
  PAYER_LIMIT_REACHED: 'you have reached your limit',
  COULD_NOT_PERFORM_TRANSACTION: 'it could not be confirmed',
}
