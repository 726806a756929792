import {
  type Fence,
  type MovedMoney,
  type OutboundAnswer,
  openClient,
  parseFields,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf, isCurrency, minorDigits, wholeNumber } from '@pesewa/values'
import type { Agent } from 'undici'
import type { PaystackSettings } from './settings.ts'

/**
 * The content of a response, without its envelope. `isOk`: whether both the HTTP status and Paystack report
 * success.
 */
export type PaystackAnswer = {
  status: number
  isOk: boolean
  message: string
  code: unknown
  type: unknown
  data: unknown
  meta: unknown
}

/**
 * Sends messages to Paystack and reads the responses.
 *
 * @param peer the sockets to Paystack
 */
export function openMessages({ baseUrl, secretKey, timeoutMs }: PaystackSettings, peer: Agent) {
  const { call } = openClient(peer, {
    baseUrl,
    timeoutMs,
    headers: () => ({ authorization: `Bearer ${secretKey}` }),
  })
  return {
    get: <T>(path: string, read: (answer: PaystackAnswer) => T) =>
      call({ method: 'GET', path }, (response) => read(opened(response))),
    post: <T>(path: string, body: object, read: (answer: PaystackAnswer) => T, mayLeave?: Fence) =>
      call({ method: 'POST', path, body, mayLeave }, (response) => read(opened(response))),
  }
}

export type PaystackMessages = ReturnType<typeof openMessages>

function opened({ status, body }: OutboundAnswer): PaystackAnswer {
  const fields = parseFields(body) ?? {}
  const { message, code, type, data, meta } = fields
  const isOk = status >= 200 && status < 300 && fields.status === true
  return { status, isOk, message: typeof message === 'string' ? message : '', code, type, data, meta }
}

/** Returns whether an error proves that nothing was started. Only a validation error without data does. */
export const isInvalid = ({ status, isOk, type, data }: PaystackAnswer) =>
  !isOk && status === 400 && type === 'validation_error' && data === undefined

/** Returns whether a response is an error that has this code or whose message matches this pattern. */
export const isError = (answer: PaystackAnswer, code: string, words: RegExp) =>
  !answer.isOk &&
  [400, 404, 409, 422].includes(answer.status) &&
  (answer.code === code || words.test(answer.message))

/**
 * Returns an unknown outcome with the status and code of the response, for the log. Nothing else from a rail is
 * logged.
 */
export function unclear({ status, code }: PaystackAnswer): UnknownOutcome {
  return unknown(typeof code === 'string' && /^[a-z_]{2,64}$/.test(code) ? `${status} ${code}` : `${status}`)
}

/** Returns the data of a response if it is about this reference; otherwise `undefined`. */
export function dataAbout({ isOk, data }: PaystackAnswer, reference: string): Fields | undefined {
  const fields = fieldsOf(data)
  return isOk && fields.reference === reference ? fields : undefined
}

type Francs = Pick<PaystackSettings, 'unitsPerFranc'>

/** Converts an amount to Paystack's units. Returns `undefined` if Paystack's unit for the currency is not known. */
export function unitsOf(amount: bigint, currency: string, { unitsPerFranc }: Francs): number | undefined {
  if (minorDigits(currency) > 0) return wholeNumber(amount)
  return unitsPerFranc && wholeNumber(amount * BigInt(unitsPerFranc))
}

/** Reads an amount in Paystack's units and converts it to minor units. Returns `undefined` if it cannot be read. */
export function moneyOf({ amount, currency }: Fields, { unitsPerFranc }: Francs): MovedMoney | undefined {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return undefined
  if (typeof currency !== 'string' || !isCurrency(currency)) return undefined
  const units = BigInt(amount)
  if (minorDigits(currency) > 0) return { amount: units, currency }
  if (unitsPerFranc === undefined || units % BigInt(unitsPerFranc) !== 0n) return undefined
  return { amount: units / BigInt(unitsPerFranc), currency }
}
