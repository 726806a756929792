import { createHmac } from 'node:crypto'
import {
  type Failures,
  parseFields,
  type RailReport,
  type ReceivedReport,
  transactionOf,
  type Verdict,
} from '@pesewa/connector-kit'
import { type Fields, sameText } from '@pesewa/values'
import { collectionFailures, disbursementFailures, refundFailures } from './codes.ts'
import { moneyMoved } from './messages.ts'
import type { RestSettings } from './settings.ts'

const timestampHeader = 'rail-timestamp'
const signatureHeader = 'rail-signature'

/**
 * How far the time in a report may be before or after our own time. This limits how long a report can be
 * replayed.
 */
const windowMs = 300_000 // how far the time of a signed report may differ from ours

/**
 * Returns the headers that authenticate a report from the rail. The timestamp is wall-clock time in whole
 * seconds.
 */
export function signReport(key: string, body: string | Buffer, at = new Date()) {
  const ms = at.getTime()
  const timestamp = String((ms - (ms % 1000)) / 1000)
  return { [timestampHeader]: timestamp, [signatureHeader]: signatureOf(key, timestamp, body) }
}

const signatureOf = (key: string, timestamp: string, body: string | Buffer) =>
  createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')

function isSigned(
  { headers, rawBody, receivedAtMs = Date.now() }: ReceivedReport,
  key: string | undefined,
): boolean {
  const [timestamp, signature] = [headers[timestampHeader], headers[signatureHeader]]
  if (key === undefined || typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(receivedAtMs - Number(timestamp) * 1000) > windowMs)
    return false
  return sameText(signature.toLowerCase(), signatureOf(key, timestamp, rawBody))
}

/**
 * Reads a report, which has the same fields as the response to a query. If the report is signed, only the
 * signed bytes are read.
 */
export function readReport(settings: RestSettings, received: ReceivedReport): RailReport {
  const isAuthentic = isSigned(received, settings.callbackKey)
  const fields = (isAuthentic ? parseFields(received.rawBody.toString()) : received.fields) ?? {}
  const { reference, providerReference, amount, currency } = fields
  return {
    isAuthentic,
    reference: typeof reference === 'string' ? reference : undefined,
    providerReference: transactionOf(providerReference),
    amount: typeof amount === 'number' && Number.isSafeInteger(amount) ? BigInt(amount) : undefined,
    currency: typeof currency === 'string' ? currency : undefined,
    verdictOn: (kind) => verdictOf(settings, fields, failuresOf[kind]),
  }
}

const failuresOf = { collect: collectionFailures, disburse: disbursementFailures, refund: refundFailures }

function verdictOf(settings: RestSettings, fields: Fields, failures: Failures): Verdict | undefined {
  if (fields.status === 'failed') return { outcome: 'refused', ...failures.failureOf(fields.code) }
  const moved = fields.status === 'done' ? moneyMoved(fields, settings) : undefined
  return moved?.outcome === 'done' ? moved : undefined
}
