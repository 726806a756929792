import type { PaidCard, ProviderType } from '@pesewa/connector-kit'
import { maskAccount, maskPhone } from '../../platform/masks.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import { accountFields } from '../../rails/connections/account.ts'
import type { Payment } from './store.ts'

export type ChannelType = ProviderType

/**
 * A payer, identified by phone number (in E.164 format), account number or wallet id. The payer of a card
 * payment is not known before the payment. `mask` is the masked account, if the rail does not reveal the
 * account itself.
 */
export type Payer = { providerId: string; type: ChannelType; account: string | null; mask?: string | null }

/**
 * Returns a fingerprint that identifies a payer within a Space without revealing the account. The fingerprint
 * of a phone number is the same for every provider; that of any other account depends on the provider. A card's
 * fingerprint is derived from the acquirer's token after payment.
 */
export function fingerprintOf(seals: Seals, { spaceId }: Scope, { type, providerId, account }: Payer) {
  if (account === null) return null
  const payer = type === 'momo' ? `momo ${account}` : `${type} ${providerId} ${account}`
  return seals.fingerprint(`payer ${spaceId}`, payer)
}

export const cardFingerprint = (seals: Seals, { spaceId }: Scope, providerId: string, { token }: PaidCard) =>
  seals.fingerprint(`payer ${spaceId}`, `card ${providerId} ${token}`)

/**
 * Returns the payment method as shown in the API. Accounts are masked, and only the scheme and the last digits
 * of a card are shown.
 */
export const presentChannel = (payment: Payment) => ({
  type: payment.channelType,
  provider: payment.providerId,
  reference: payment.railTransaction,
  // Null after personal data has been erased.
  fingerprint: payment.payerFingerprint || null,
  metadata: {},
  ...shownPayer(payment),
})

type PayerAccount = Pick<Payment, 'channelType' | 'payerAccount' | 'cardScheme' | 'cardLast4'> &
  Partial<Pick<Payment, 'payerMask'>>

/** Returns the API fields for a payer's account. */
export const shownPayer = (payer: PayerAccount) =>
  payer.channelType === 'card'
    ? { scheme: payer.cardScheme, last4: payer.cardLast4 }
    : { [accountFields[payer.channelType]]: shownAccount(payer) }

/**
 * Returns the payer's masked account. For a card, returns its scheme and last digits once it has been charged,
 * and an empty string until then.
 */
export function shownAccount({
  channelType,
  payerAccount,
  payerMask = null,
  cardScheme,
  cardLast4,
}: PayerAccount): string {
  if (payerAccount === null)
    return cardScheme && cardLast4 ? `${schemeNames[cardScheme]} ****${cardLast4}` : (payerMask ?? '')
  return channelType === 'momo' ? maskPhone(payerAccount) : maskAccount(payerAccount)
}

const schemeNames = { visa: 'Visa', mastercard: 'Mastercard', verve: 'Verve' } as const
