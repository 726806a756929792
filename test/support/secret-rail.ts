import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from './payer.ts'

/** A request that a rail received, and the rail's response when it works normally. */
export type RailRequest = { method: string; path: string; reference: string; body: Fields }
export type RailReply = readonly [status: number, body: unknown]
// biome-ignore lint/suspicious/noExplicitAny: a request body
type Fields = any

/** A provider with its own connection that has every possible secret. */
export type SecretRail = {
  protocol: string
  providerId: string
  country: string
  currency: string
  /** Returns a payer's or payee's account, a different one for each `digit`. */
  account(digit: number): Account
  isPaidOut: boolean
  /** Returns the fields of the connection, including secrets. */
  fields(secret: PlantSecret): object
  /** The path of the field whose secret is stored in a file and replaced there. */
  inFile: readonly string[]
  /** The path of the rail's token requests, if there are any. */
  tokenPath?: string
  /** Returns our reference in a request. Absent if it is the end of the request's path. */
  referenceIn?(headers: IncomingHttpHeaders, body: Fields): unknown
  /** @param ordered returns the order with this request's reference, or with the reference in its path */
  respond(request: RailRequest, ordered: (reference: string) => Fields, token: string): RailReply | undefined
}

/** Creates a unique value, either of digits only or with letters. */
export type PlantSecret = (
  name: string,
  form?: { prefix?: string; digits?: number; bytes?: number },
) => string

export function createPlant() {
  const secrets = new Map<string, string>()
  const plant: PlantSecret = (name, { prefix = 'Pl', digits, bytes = 8 } = {}) => {
    const value = digits
      ? String(randomBytes(4).readUInt32BE() % 10 ** digits).padStart(digits, '7')
      : prefix + randomBytes(bytes).toString('hex')
    secrets.set(name, value)
    return value
  }
  return { plant, secrets }
}

/** Returns accounts that differ in their last digit. */
export const phone = (number: string) => (digit: number) => ({ phone: `${number}${digit}` })

/** Returns the last segment of a path. */
export const nameOf = (path: string) => path.split('?')[0]!.split('/').at(-1)!

export const moneyIn = ({ amount, currency }: Fields) => ({ amount, currency })
