import { createHmac } from 'node:crypto'
import {
  doneWith,
  parseFields,
  type RailKind,
  type RailReport,
  type ReceivedReport,
  type Verdict,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf, sameText } from '@pesewa/values'
import { cardIn } from './card.ts'
import { transferFailures, wordOf } from './codes.ts'
import { moneyOf } from './messages.ts'
import type { PaystackSettings } from './settings.ts'

const signatureHeader = 'x-paystack-signature'

/** Returns the header that authenticates a report from Paystack. */
export const signReport = (secretKey: string, body: string | Buffer) => ({
  [signatureHeader]: createHmac('sha512', secretKey).update(body).digest('hex'),
})

function isSigned({ headers, rawBody }: ReceivedReport, secretKey: string): boolean {
  const signature = headers[signatureHeader]
  if (typeof signature !== 'string') return false
  return sameText(signature.toLowerCase(), signReport(secretKey, rawBody)[signatureHeader] ?? '')
}

/**
 * Reads a report. A refund event does not contain our reference, except perhaps in its note, so it only
 * triggers a query.
 */
export function readReport(settings: PaystackSettings, received: ReceivedReport): RailReport {
  const isAuthentic = isSigned(received, settings.secretKey)
  const { event, data } = (isAuthentic && parseFields(received.rawBody.toString())) || {}
  const fields = fieldsOf(data)
  const name =
    typeof event === 'string' && event.startsWith('refund.') ? fields.merchant_note : fields.reference
  return {
    isAuthentic,
    reference: typeof name === 'string' ? name : undefined,
    ...moneyOf(fields, settings),
    verdictOn: (kind) => verdictOn(settings, kind, event, fields),
  }
}

function verdictOn(
  settings: PaystackSettings,
  kind: RailKind,
  event: unknown,
  data: Fields,
): Verdict | undefined {
  if (kind === 'collect' && event === 'charge.success') return paid(settings, data, data.id)
  if (kind !== 'disburse') return undefined
  if (event === 'transfer.success') return paid(settings, data, data.transfer_code)
  // If a transfer is reversed after it arrived, the money is back in our balance, so an operator has to decide
  // what happens to it.
  if (event !== 'transfer.failed' && event !== 'transfer.reversed') return undefined
  return { outcome: 'refused', ...transferFailures.failureOf(wordOf(data.gateway_response)) }
}

/**
 * Returns the verdict of a report about a successful payment. If the amount is unreadable or the status does
 * not match the event, there is no verdict, so the outcome is queried.
 */
const paid = (settings: PaystackSettings, data: Fields, transaction: unknown): Verdict | undefined =>
  data.status === 'success' ? doneWith(moneyOf(data, settings), transaction, cardIn(data)) : undefined
