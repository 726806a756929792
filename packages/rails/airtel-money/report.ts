import { createHmac } from 'node:crypto'
import { parseFields, type RailReport, type ReceivedReport } from '@pesewa/connector-kit'
import { type Fields, fieldsOf, sameText } from '@pesewa/values'
import { verdictOf } from './responses.ts'

/** Matches the transaction in the raw bytes of a callback: an object that contains no other objects. */
const transactionForm = /"transaction"\s*:\s*(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/
const maxReportLength = 16_384

/**
 * Reads a callback about a payment. Callbacks are sent to the connection's URL, because Airtel supports only
 * one URL, which is set in its portal. The callback is trusted if its `hash` is correct; otherwise, it is only
 * a hint.
 */
export function readReport(key: string | undefined, { rawBody, fields = {} }: ReceivedReport): RailReport {
  const proved = key === undefined ? undefined : provedTransaction(key, rawBody, fields)
  const transaction = proved ?? fieldsOf(fields.transaction)
  return {
    isAuthentic: proved !== undefined,
    isHint: proved === undefined,
    reference: typeof transaction.id === 'string' ? transaction.id : undefined,
    // Airtel sends callbacks only for payments.
    verdictOn: (kind) => (kind === 'collect' ? verdictOf(transaction) : undefined),
    answer: { status: 200, contentType: 'application/json', body: '{"code":200,"status":"SUCCESS"}' },
  }
}

/** Returns the transaction if its hash is correct. Reads only the part of the body that was hashed. */
function provedTransaction(key: string, rawBody: Buffer, { hash }: Fields): Fields | undefined {
  if (typeof hash !== 'string' || rawBody.length > maxReportLength) return undefined
  const [, transaction] = transactionForm.exec(rawBody.toString()) ?? []
  if (transaction === undefined) return undefined
  const isProved = hashesOf(key, transaction).some((expected) => sameText(hash, expected))
  return isProved ? parseFields(transaction) : undefined
}

/**
 * Returns both possible hashes: Airtel's documentation is inconsistent about whether the hash includes the
 * field name `transaction`.
 */
export const hashesOf = (key: string, transaction: string): string[] =>
  [transaction, `{"transaction":${transaction}}`].map((text) =>
    createHmac('sha256', key).update(text).digest('base64'),
  )
