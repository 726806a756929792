import { wholeNumber } from '../../platform/http/json.ts'
import type { StoredCollection } from './store.ts'

/** The simulator plans in MTN's words; banks, wallets and the acquirer say the same in theirs. */
const codes: Readonly<Record<string, string>> = {
  NOT_ENOUGH_FUNDS: 'insufficient_funds',
  APPROVAL_REJECTED: 'declined',
  EXPIRED: 'expired',
  COULD_NOT_PERFORM_TRANSACTION: 'not_confirmed',
  SENDER_ACCOUNT_NOT_ACTIVE: 'account_blocked',
  PAYER_NOT_FOUND: 'account_missing',
  PAYER_LIMIT_REACHED: 'limit_reached',
  TRANSACTION_CANCELED: 'cancelled',
  PAYMENT_NOT_APPROVED: 'not_authenticated',
}

/** The document of a collection or session: the answer to a query and the body of a callback alike. */
export function railDocumentOf(collection: StoredCollection, pageUrl?: string): object {
  const { reference, amountMinor, currency, status, reason, cardScheme: scheme } = collection
  const told = { reference, amount: wholeNumber(amountMinor), currency }
  if (status === 'PENDING')
    return { ...told, status: 'pending', ...(pageUrl !== undefined && { redirectUrl: pageUrl }) }
  if (status === 'FAILED') return { ...told, status: 'failed', code: codes[reason ?? ''] ?? 'failed' }
  const transactionId = String(collection.financialTransactionId)
  const card = { scheme, last4: collection.cardLast4, token: collection.cardToken }
  return { ...told, status: 'done', transactionId, ...(scheme !== null && { card }) }
}
