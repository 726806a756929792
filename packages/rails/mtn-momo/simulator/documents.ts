import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'

/**
 * Returns MTN's document for a collection or disbursement, which is used both in query responses and in
 * callbacks.
 */
export function documentOf(stored: StoredCollection | StoredDisbursement): object {
  const { financialTransactionId, reason } = stored
  return {
    amount: stored.amount,
    currency: stored.currency,
    ...(financialTransactionId === null ? {} : { financialTransactionId: String(financialTransactionId) }),
    externalId: stored.externalId,
    ...('payee' in stored ? { payee: partyOf(stored.payee) } : { payer: partyOf(stored.payer) }),
    payerMessage: stored.payerMessage,
    payeeNote: stored.payeeNote,
    status: stored.status,
    ...(reason === null ? {} : { reason }),
  }
}

const partyOf = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })
