import type { StoredCollection } from './store.ts'

/** MTN's document of a collection: the answer to a query and the body of a callback alike. */
export function documentOf(collection: StoredCollection): object {
  const { financialTransactionId, reason } = collection
  return {
    amount: collection.amount,
    currency: collection.currency,
    ...(financialTransactionId === null ? {} : { financialTransactionId: String(financialTransactionId) }),
    externalId: collection.externalId,
    payer: { partyIdType: 'MSISDN', partyId: collection.payer },
    payerMessage: collection.payerMessage,
    payeeNote: collection.payeeNote,
    status: collection.status,
    ...(reason === null ? {} : { reason }),
  }
}
