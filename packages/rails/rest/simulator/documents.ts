import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import { wholeNumber } from '@pesewa/values'

/** The rail's names for the outcomes. The simulator internally uses MTN's names for them. */
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
  PAYEE_NOT_ALLOWED_TO_RECEIVE: 'declined',
  ACCOUNTHOLDER_NOT_ACTIVE: 'account_blocked',
  PAYEE_NOT_FOUND: 'account_missing',
  PAYEE_LIMIT_REACHED: 'limit_reached',
}

/**
 * Returns the document for a collection, session or transfer, which is used both in query responses and in
 * callbacks.
 */
export function railDocumentOf(request: StoredCollection | StoredDisbursement, pageUrl?: string): object {
  const { reference, amountMinor, currency, status, reason } = request
  const fields = { reference, amount: wholeNumber(amountMinor), currency }
  if (status === 'PENDING') return { ...fields, ...pendingOf(request, pageUrl) }
  if (status === 'FAILED') return { ...fields, status: 'failed', code: codes[reason ?? ''] ?? 'failed' }
  return {
    ...fields,
    status: 'done',
    transactionId: String(request.financialTransactionId),
    ...cardOf(request),
  }
}

/**
 * Returns the part of the document that describes a pending request. Payers of the slow wallet (numbers that
 * end with 004) are told to dial.
 */
export function pendingOf(
  request: Pick<StoredCollection, 'payer' | 'returnUrl'> | StoredDisbursement,
  pageUrl?: string,
) {
  const isDialled = 'payer' in request && request.returnUrl === null && request.payer.endsWith('004')
  return {
    status: 'pending',
    ...(pageUrl !== undefined && { redirectUrl: pageUrl }),
    ...(isDialled && { instructions }),
  }
}

const instructions = {
  texts: {
    en: 'Dial *144*4# on your phone and choose 1 to approve. A simulated payer does so after 30 seconds.',
    fr: 'Composez *144*4# sur votre téléphone et choisissez 1 pour approuver. Un payeur simulé le fait après 30 secondes.',
  },
  dialString: '*144*4#',
}

function cardOf(request: StoredCollection | StoredDisbursement): object | undefined {
  if ('payee' in request || request.cardScheme === null) return undefined
  return { card: { scheme: request.cardScheme, last4: request.cardLast4, token: request.cardToken } }
}
