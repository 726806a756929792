import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'

/** The rail's codes for the outcomes. The simulator internally uses MTN's names for them. */
const codes: Readonly<Record<string, string>> = {
  NOT_ENOUGH_FUNDS: 'insufficient_funds',
  APPROVAL_REJECTED: 'declined',
  EXPIRED: 'expired',
  PAYER_NOT_FOUND: 'account_missing',
  PAYER_LIMIT_REACHED: 'limit_reached',
  SENDER_ACCOUNT_NOT_ACTIVE: 'account_blocked',
  PAYEE_NOT_ALLOWED_TO_RECEIVE: 'declined',
  PAYEE_NOT_FOUND: 'account_missing',
  PAYEE_LIMIT_REACHED: 'limit_reached',
  ACCOUNTHOLDER_NOT_ACTIVE: 'account_blocked',
}

const states = { PENDING: 'pending', SUCCESSFUL: 'completed', FAILED: 'failed' } as const

/** Returns the document for a payment or payout, which is the response to a query and the body of a callback. */
export function documentOf(request: StoredCollection | StoredDisbursement): object {
  const { reference, status, amount, currency, reason, financialTransactionId } = request
  return {
    reference,
    status: states[status],
    amount,
    currency,
    ...(status === 'SUCCESSFUL' && { transactionId: String(financialTransactionId) }),
    ...(status === 'FAILED' && { code: codes[reason ?? ''] ?? 'not_completed' }),
  }
}
