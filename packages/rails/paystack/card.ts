import { cardSchemes, type PaidCard } from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'
import { wordOf } from './codes.ts'

/**
 * Reads the card that was used to pay. Its token is the `signature` that Paystack computes for the card, which
 * is always the same for the same card. If there is no signature, the token is the authorization code.
 */
export function cardOf({ channel, authorization }: Fields): PaidCard | undefined {
  if (channel !== 'card') return undefined
  const { brand, last4, signature, authorization_code } = fieldsOf(authorization)
  const scheme = cardSchemes.find((name) => name === wordOf(brand))
  const token = signature ?? authorization_code
  if (!scheme || typeof last4 !== 'string' || !/^[0-9]{4}$/.test(last4)) return undefined
  const isToken = typeof token === 'string' && /^[\x21-\x7e]{8,128}$/.test(token) && !/[0-9]{13}/.test(token)
  return isToken ? { scheme, last4, token } : undefined
}
