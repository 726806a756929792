import type { StoredDisbursement } from '../engine/disbursement-store.ts'
import type { StoredCollection } from '../engine/store.ts'

/** MTN's document of a collection or disbursement: the answer to a query and the body of a callback alike. */
export function documentOf(asked: StoredCollection | StoredDisbursement): object {
  const { financialTransactionId, reason } = asked
  return {
    amount: asked.amount,
    currency: asked.currency,
    ...(financialTransactionId === null ? {} : { financialTransactionId: String(financialTransactionId) }),
    externalId: asked.externalId,
    ...('payee' in asked ? { payee: partyOf(asked.payee) } : { payer: partyOf(asked.payer) }),
    payerMessage: asked.payerMessage,
    payeeNote: asked.payeeNote,
    status: asked.status,
    ...(reason === null ? {} : { reason }),
  }
}

const partyOf = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })
