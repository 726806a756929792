import type { Failures, RailKind, RailReport, ReceivedReport, Verdict } from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'
import { collectionFailures, disbursementFailures, reversalFailures, statusFailures } from './codes.ts'
import { codeOf, currency, idOf, namedValues, statedAmount } from './documents.ts'
import { callbackSuffixes } from './paying-out.ts'

/** The readable parts of a report, without the result of authenticating it. */
type ReadReport = Omit<RailReport, 'isAuthentic' | 'answer'>

/** The response that Safaricom expects to every report. */
const answer = {
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify({ ResultCode: 0, ResultDesc: 'Success' }),
}

/**
 * Returns a function that reads reports. Safaricom does not sign them, so they are authenticated by their
 * source address.
 *
 * See docs/decisions/0041-mpesa-reports.md.
 */
export const createReportReader =
  (isSource: (address: string) => boolean) =>
  ({ address, fields = {}, notice }: ReceivedReport): RailReport => ({
    ...read(fields, notice),
    isAuthentic: isSource(address),
    answer,
  })

function read({ Body, Result }: Fields, notice: string | undefined): ReadReport {
  const { stkCallback } = fieldsOf(Body)
  const result = fieldsOf(Result)
  switch (notice) {
    case undefined:
      return stkCallback === undefined ? readResult(result, 'reference') : readPrompt(fieldsOf(stkCallback))
    case callbackSuffixes.status:
      return readStatus(result, 'reference')
    case callbackSuffixes.reversal:
      return readResult(result, 'providerReference')
    case callbackSuffixes.reversalStatus:
      return readStatus(result, 'providerReference')
    default:
      // A report of a queue time-out does not contain the outcome of the request in the queue.
      return {}
  }
}

/**
 * The field that identifies the transaction in a report. Reports about payouts contain our reference, but those
 * about reversals contain only Safaricom's.
 */
type ReferenceField = 'reference' | 'providerReference'

/** Reads the report about a prompt, which is the only source of the amount and receipt. */
function readPrompt({ CheckoutRequestID, ResultCode, CallbackMetadata }: Fields): ReadReport {
  const items = namedValues(fieldsOf(CallbackMetadata).Item, 'Name')
  const code = codeOf(ResultCode)
  const amount = code === '0' ? statedAmount(items.Amount) : undefined
  return {
    providerReference: idOf(CheckoutRequestID),
    ...moneyOf(amount),
    verdictOn: (kind) =>
      kind === 'collect'
        ? verdictOf(code, { amount, receipt: items.MpesaReceiptNumber }, collectionFailures)
        : undefined,
  }
}

function readResult(result: Fields, namedBy: ReferenceField): ReadReport {
  const { OriginatorConversationID, ResultCode, TransactionID } = result
  const values = parametersOf(result)
  const code = codeOf(ResultCode)
  const isReversal = namedBy === 'providerReference'
  const amount = statedAmount(isReversal ? values.Amount : values.TransactionAmount)
  const failures = isReversal ? reversalFailures : disbursementFailures
  return {
    [namedBy]: idOf(OriginatorConversationID),
    verdictOn: (kind) =>
      kind === kindOf[namedBy] ? verdictOf(code, { amount, receipt: TransactionID }, failures) : undefined,
  }
}

const kindOf: Record<ReferenceField, RailKind> = { reference: 'disburse', providerReference: 'refund' }

/**
 * Reads a report that contains the result of a query. Its parameters identify the transaction; the outer ids
 * belong to the query itself.
 */
function readStatus(result: Fields, namedBy: ReferenceField): ReadReport {
  const { OriginatorConversationID, TransactionStatus, Amount, ReceiptNo } = parametersOf(result)
  const status = typeof TransactionStatus === 'string' ? TransactionStatus.toLowerCase() : undefined
  const isRead = codeOf(result.ResultCode) === '0' && status !== undefined
  return {
    isQueryResult: true,
    [namedBy]: idOf(OriginatorConversationID),
    verdictOn: (kind) =>
      isRead && kind === kindOf[namedBy]
        ? verdictOf(
            status === 'completed' ? '0' : status,
            { amount: statedAmount(Amount), receipt: ReceiptNo },
            statusFailures,
          )
        : undefined,
  }
}

const parametersOf = ({ ResultParameters }: Fields) =>
  namedValues(fieldsOf(ResultParameters).ResultParameter, 'Key')

const moneyOf = (amount: bigint | undefined) => (amount === undefined ? {} : { amount, currency })

/**
 * Returns the verdict of a report. A success counts only if the report contains the amount, and a failure only
 * if its code is known.
 */
function verdictOf(
  code: string | undefined,
  { amount, receipt }: { amount: bigint | undefined; receipt: unknown },
  failures: Failures,
): Verdict | undefined {
  if (code === '0')
    return amount === undefined
      ? undefined
      : { outcome: 'done', amount, currency, railTransaction: idOf(receipt) }
  const failure = failures.refusalOf(code)
  return failure && { outcome: 'refused', ...failure }
}
