import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import { minorDigits, wholeNumber } from '@pesewa/values'

/** Paystack's names for the outcomes. The simulator internally uses MTN's names for them. */
const gatewayResponses: Readonly<Record<string, string>> = {
  NOT_ENOUGH_FUNDS: 'Insufficient Funds',
  APPROVAL_REJECTED: 'Declined',
  EXPIRED: 'Transaction timed out',
  COULD_NOT_PERFORM_TRANSACTION: 'Not confirmed in time',
  SENDER_ACCOUNT_NOT_ACTIVE: 'Account is not active',
  PAYER_NOT_FOUND: 'Invalid account',
  PAYER_LIMIT_REACHED: 'Limit exceeded',
  TRANSACTION_CANCELED: 'Cancelled by customer',
  PAYMENT_NOT_APPROVED: 'Declined',
  PAYEE_NOT_ALLOWED_TO_RECEIVE: 'Declined',
  ACCOUNTHOLDER_NOT_ACTIVE: 'Account is not active',
  PAYEE_NOT_FOUND: 'Invalid account',
  PAYEE_LIMIT_REACHED: 'Limit exceeded',
}
const gatewayResponseOf = ({ reason }: Pick<StoredCollection, 'reason'>) =>
  gatewayResponses[reason ?? ''] ?? 'Failed'

/** The simulator counts one franc as a hundred units. Paystack's documentation does not specify this. */
export const unitsPerFranc = 100n
const unitsOf = ({ amountMinor, currency }: Pick<StoredCollection, 'amountMinor' | 'currency'>) =>
  wholeNumber(minorDigits(currency) === 0 ? amountMinor * unitsPerFranc : amountMinor)

/**
 * Returns the payer's next step: to enter a code (if `returnUrl` is empty and the code is still due), to dial a
 * USSD code, or to complete the payment on the phone.
 */
export function nextStepOf(
  { payer, returnUrl }: Pick<StoredCollection, 'payer' | 'returnUrl'>,
  { as, isCodeDue }: { as: string | undefined; isCodeDue: boolean },
): object {
  if (returnUrl === '' && isCodeDue)
    return {
      status: 'send_otp',
      display_text: 'Please dial *110# and choose 6 to generate a voucher. Enter it here.',
    }
  if (as !== undefined && /^[0-9]+$/.test(as)) {
    const ussd_code = `*${as}*000*${payer.slice(-4)}#`
    return {
      status: 'pay_offline',
      display_text: `Please dial ${ussd_code} to complete the payment`,
      ussd_code,
    }
  }
  return { status: 'pay_offline', display_text: 'Please complete the payment on your phone' }
}

/** Returns the document for a charge or transaction, with the payer's next step as long as it is pending. */
export function chargeDocument(collection: StoredCollection, next: object): object {
  const { reference, currency, status, financialTransactionId, cardScheme, cardLast4, cardToken } = collection
  const fields = { reference, amount: unitsOf(collection), requested_amount: unitsOf(collection), currency }
  if (status === 'PENDING') return { ...fields, gateway_response: 'Pending', ...next }
  if (status === 'FAILED')
    return { ...fields, status: 'failed', gateway_response: gatewayResponseOf(collection) }
  const card = { channel: 'card', brand: cardScheme, last4: cardLast4, signature: `SIG_${cardToken}` }
  return {
    ...fields,
    id: Number(financialTransactionId),
    status: 'success',
    gateway_response: 'Approved',
    channel: cardScheme === null ? 'mobile_money' : 'card',
    authorization: cardScheme === null ? {} : card,
  }
}

const transferStates = { PENDING: 'pending', FAILED: 'failed', SUCCESSFUL: 'success' } as const

export function transferDocument(transfer: StoredDisbursement): object {
  const { reference, currency, status, financialTransactionId } = transfer
  return {
    reference,
    amount: unitsOf(transfer),
    currency,
    status: transferStates[status],
    ...(status === 'FAILED' && { gateway_response: gatewayResponseOf(transfer) }),
    ...(financialTransactionId !== null && { transfer_code: `TRF_${financialTransactionId}` }),
  }
}

const refundStates = { PENDING: 'pending', FAILED: 'failed', SUCCESSFUL: 'processed' } as const

export const refundDocument = (refund: StoredDisbursement): object => ({
  ...(refund.financialTransactionId !== null && { id: Number(refund.financialTransactionId) }),
  amount: unitsOf(refund),
  currency: refund.currency,
  status: refundStates[refund.status],
  merchant_note: refund.payeeNote,
  customer_note: refund.payerMessage,
})

/** Returns the event that Paystack sends, or `undefined` for a failed charge, for which it sends none. */
export function eventOf(request: StoredCollection | StoredDisbursement): object | undefined {
  if ('payer' in request)
    return request.status === 'SUCCESSFUL'
      ? { event: 'charge.success', data: chargeDocument(request, {}) }
      : undefined
  if (request.refundOf === null)
    return { event: `transfer.${transferStates[request.status]}`, data: transferDocument(request) }
  // The event identifies the transaction. All that it contains about the refund is its amount.
  const {
    merchant_note: _,
    customer_note: __,
    ...data
  } = { merchant_note: '', customer_note: '', ...refundDocument(request) }
  return {
    event: `refund.${refundStates[request.status]}`,
    data: { ...data, transaction_reference: request.refundOf, refund_reference: null },
  }
}
