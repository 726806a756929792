import { createHmac } from 'node:crypto'
import { type Fields, fieldsOf } from '../../../platform/fields.ts'
import { sameText } from '../../../platform/seals.ts'
import type { RailReport, ReceivedReport } from '../../connector.ts'
import { parseFields } from '../../rail-responses.ts'
import { verdictOf } from './responses.ts'

/** The transaction of a callback, as its bytes are: an object without objects in it. */
const transactionForm = /"transaction"\s*:\s*(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/
const maxReportLength = 16_384 // limit: a callback of Airtel’s

/**
 * A callback about a payment, at the connection's address: Airtel has one, set in its portal. It is believed where its
 * `hash` is right; any other is a hint.
 */
export function readReport(key: string | undefined, { rawBody, fields = {} }: ReceivedReport): RailReport {
  const proved = key === undefined ? undefined : provedTransaction(key, rawBody, fields)
  const transaction = proved ?? fieldsOf(fields.transaction)
  return {
    isAuthentic: proved !== undefined,
    isHint: proved === undefined,
    reference: typeof transaction.id === 'string' ? transaction.id : undefined,
    // Callbacks are about payments.
    verdictOn: (kind) => (kind === 'collect' ? verdictOf(transaction) : undefined),
    answer: { status: 200, contentType: 'application/json', body: '{"code":200,"status":"SUCCESS"}' },
  }
}

/** What was hashed, and nothing else of the body. */
function provedTransaction(key: string, rawBody: Buffer, { hash }: Fields): Fields | undefined {
  if (typeof hash !== 'string' || rawBody.length > maxReportLength) return undefined
  const [, transaction] = transactionForm.exec(rawBody.toString()) ?? []
  if (transaction === undefined) return undefined
  const isProved = hashesOf(key, transaction).some((expected) => sameText(hash, expected))
  return isProved ? parseFields(transaction) : undefined
}

/** Airtel's documents differ in whether the transaction's name is hashed with it. */
export const hashesOf = (key: string, transaction: string): string[] =>
  [transaction, `{"transaction":${transaction}}`].map((text) =>
    createHmac('sha256', key).update(text).digest('base64'),
  )
