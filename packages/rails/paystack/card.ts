import { cardOf, type PaidCard } from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'
import { wordOf } from './codes.ts'

/**
 * Reads the card that was used to pay. Its token is the `signature` that Paystack computes for the card, which
 * is always the same for the same card. If there is no signature, the token is the authorization code.
 */
export function cardIn({ channel, authorization }: Fields): PaidCard | undefined {
  if (channel !== 'card') return undefined
  const { brand, last4, signature, authorization_code } = fieldsOf(authorization)
  return cardOf({ scheme: wordOf(brand), last4, token: signature ?? authorization_code })
}
