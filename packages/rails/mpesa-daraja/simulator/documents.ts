import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import { wholeNumber } from '@pesewa/values'
import { nairobiNow } from '../documents.ts'
import { checkoutIdOf, conversationIdOf, originatorIdOf, receiptOf } from './ids.ts'

/** Safaricom's codes and texts for the outcomes. The simulator internally uses MTN's names for them. */
const express: Readonly<Record<string, readonly [number, string]>> = {
  NOT_ENOUGH_FUNDS: [1, 'The balance is insufficient for the transaction.'],
  APPROVAL_REJECTED: [1032, 'Request Cancelled by user.'],
  EXPIRED: [1037, 'DS timeout user cannot be reached.'],
  COULD_NOT_PERFORM_TRANSACTION: [1032, 'Request Cancelled by user.'],
  SENDER_ACCOUNT_NOT_ACTIVE: [8006, 'The security credential is locked.'],
  PAYER_LIMIT_REACHED: [4, 'Would exceed daily transfer limit.'],
}
const payouts: Readonly<Record<string, readonly [number | string, string]>> = {
  NOT_ENOUGH_FUNDS: [1, 'The balance is insufficient for the transaction.'],
  PAYEE_NOT_ALLOWED_TO_RECEIVE: [2040, 'Credit Party customer type can’t be supported by the service.'],
  EXPIRED: [2, 'Declined due to limit rule: less than the minimum amount.'],
  COULD_NOT_PERFORM_TRANSACTION: [2, 'Declined due to limit rule: less than the minimum amount.'],
  ACCOUNTHOLDER_NOT_ACTIVE: ['SFC_IC0003', 'The operator does not exist.'],
  PAYEE_NOT_FOUND: [2040, 'Credit Party customer type can’t be supported by the service.'],
  PAYEE_LIMIT_REACHED: [8, 'Would exceed the maximum balance.'],
}

const processed = 'The service request is processed successfully.'

export const resultOfExpress = ({ status, reason }: StoredCollection): readonly [number, string] => {
  if (status === 'PENDING') return [4999, 'The transaction is still under processing']
  if (status === 'SUCCESSFUL') return [0, processed]
  return express[reason ?? ''] ?? [1019, 'Transaction has expired']
}

/** Returns the callback for a payment, a payout or a reversal. */
export const darajaReportOf = (stored: StoredCollection | StoredDisbursement): object =>
  'payee' in stored ? payoutReport(stored) : expressReport(stored)

function expressReport(stored: StoredCollection): object {
  const [ResultCode, ResultDesc] = resultOfExpress(stored)
  const items = [
    { Name: 'Amount', Value: wholeNumber(stored.amountMinor / 100n) },
    { Name: 'MpesaReceiptNumber', Value: receiptOf(stored.financialTransactionId) },
    { Name: 'Balance' },
    { Name: 'TransactionDate', Value: Number(nairobiNow()) },
    { Name: 'PhoneNumber', Value: Number(stored.payer) },
  ]
  const stkCallback = {
    MerchantRequestID: merchantRequestId,
    CheckoutRequestID: checkoutIdOf(stored.reference),
    ResultCode,
    ResultDesc,
    ...(ResultCode === 0 && { CallbackMetadata: { Item: items } }),
  }
  return { Body: { stkCallback } }
}

export const merchantRequestId = '2654-4b64-97ff-b827b542881d3130'

function payoutReport(stored: StoredDisbursement): object {
  const { status, reason, amount, amountMinor, payee, refundOf, financialTransactionId } = stored
  const failed = payouts[reason ?? ''] ?? [2, 'Failed']
  const [ResultCode, ResultDesc] = status === 'SUCCESSFUL' ? [0, processed] : failed
  const receipt = receiptOf(financialTransactionId)
  const parameters =
    refundOf === null
      ? {
          TransactionAmount: wholeNumber(amountMinor / 100n),
          TransactionReceipt: receipt,
          ReceiverPartyPublicName: `${payee} - NAME`,
        }
      : { Amount: amount, OriginalTransactionID: receipt, Charge: '0.00' }
  return resultDocument({
    ResultCode,
    ResultDesc,
    ...idsOf(stored),
    TransactionID: receipt,
    ...(ResultCode === 0 && { ResultParameters: { ResultParameter: keyed(parameters) } }),
  })
}

/** Returns the ids of a payout, which the caller chooses, or those of a reversal, which Safaricom assigns. */
export const idsOf = ({ reference, refundOf }: { reference: string; refundOf?: string | null }) => ({
  OriginatorConversationID: refundOf == null ? reference : originatorIdOf(reference),
  ConversationID: conversationIdOf(reference),
})

/**
 * Returns the report with the result of a query. The outer ids are those of the query, and the inner ones are
 * those of the transaction. An unknown or pending transaction is reported as a bad parameter.
 */
export function statusReportOf(stored: StoredDisbursement | undefined, query: string): object {
  const own = { OriginatorConversationID: originatorIdOf(query), ConversationID: conversationIdOf(query) }
  if (!stored || stored.status === 'PENDING')
    return resultDocument({
      ...own,
      ResultCode: 25,
      ResultDesc: 'Bad parameter.',
      TransactionID: 'SIM0000000000',
    })
  const { status, amount, payee, financialTransactionId } = stored
  const receipt = receiptOf(financialTransactionId)
  const parameters = {
    DebitPartyName: '600222 - Simulated',
    CreditPartyName: `${payee} - NAME`,
    ...idsOf(stored),
    TransactionStatus: status === 'SUCCESSFUL' ? 'Completed' : 'Failed',
    Amount: amount,
    ReceiptNo: receipt,
  }
  return resultDocument({
    ...own,
    ResultCode: 0,
    ResultDesc: processed,
    TransactionID: receipt,
    ResultParameters: { ResultParameter: keyed(parameters) },
  })
}

const resultDocument = (result: object) => ({
  Result: {
    ResultType: 0,
    ...result,
    ReferenceData: { ReferenceItem: { Key: 'Occasion' } },
  },
})

const keyed = (parameters: object) => Object.entries(parameters).map(([Key, Value]) => ({ Key, Value }))
