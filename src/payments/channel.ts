import { maskAccount, maskPhone } from '../platform/masks.ts'
import type { Scope } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import { accountFields } from '../providers/account.ts'
import type { PaidCard } from '../providers/connector.ts'
import type { ProviderType } from '../providers/provider.ts'
import type { Payment } from './store.ts'

export type ChannelType = ProviderType

/**
 * Whoever pays: by a phone number (E.164), an account number or a wallet id; of a card nothing is known before. A rail that
 * names no account says how it hides it.
 */
export type Payer = { providerId: string; type: ChannelType; account: string | null; mask?: string | null }

/**
 * Distinguishes payers of a Space without showing who they are. A phone number is the same with every provider; other
 * accounts are their provider's own. A card's is made from the acquirer's token when it has paid.
 */
export function fingerprintOf(seals: Seals, { spaceId }: Scope, { type, providerId, account }: Payer) {
  if (account === null) return null
  const payer = type === 'momo' ? `momo ${account}` : `${type} ${providerId} ${account}`
  return seals.fingerprint(`payer ${spaceId}`, payer)
}

export const cardFingerprint = (seals: Seals, { spaceId }: Scope, providerId: string, { token }: PaidCard) =>
  seals.fingerprint(`payer ${spaceId}`, `card ${providerId} ${token}`)

/** How a payment was made, as the API shows it: the account masked, a card by its last digits. */
export const presentChannel = (payment: Payment) => ({
  type: payment.channelType,
  provider: payment.providerId,
  reference: payment.railTransaction,
  fingerprint: payment.payerFingerprint,
  metadata: {},
  ...shownPayer(payment),
})

type PayerAccount = Pick<Payment, 'channelType' | 'payerAccount' | 'cardScheme' | 'cardLast4'> &
  Partial<Pick<Payment, 'payerMask'>>

/** The fields of a payer's account. */
export const shownPayer = (payer: PayerAccount) =>
  payer.channelType === 'card'
    ? { scheme: payer.cardScheme, last4: payer.cardLast4 }
    : { [accountFields[payer.channelType]]: shownAccount(payer) }

/** The payer's account as it may be shown; of a card its scheme and last digits, once it has paid. */
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
