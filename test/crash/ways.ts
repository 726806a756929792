import type { Provider } from '@pesewa/connector-kit'
import { minorDigits } from '@pesewa/values'
import { loadCatalogue } from '../../packages/server/src/rails/connections/catalogue.ts'
import { endings } from '../support/endings.ts'
import type { Account } from '../support/payer.ts'
import { phoneOf } from '../support/phones.ts'

/** A way to pay and to be paid: one provider of each protocol for each way in which payers authorise a payment. */
export type Way = {
  name: string
  provider: Provider
  currency: string
  /** A hundred whole units of the currency, in minor units, because some rails do not accept fractions. */
  value: number
  /** The special endings that a payer's account, or a card page, supports there. */
  payerEndings: string[]
  /** The special endings of payees' accounts; empty if the provider has no payouts. */
  payeeEndings: string[]
  payer(digits: string): Account
  payee(digits: string): object
}

const allEndings = Object.keys(endings)

export const ways: Way[] = [
  ...new Map(
    loadCatalogue()
      .all()
      .filter(({ featureSet: { payment } }) => payment.canPayFrom)
      .map((provider) => [nameOf(provider), provider]),
  ),
].map(([name, provider]) => wayOf(name, provider))

function nameOf({ protocol, type, featureSet }: Provider): string {
  return [protocol, type, ...featureSet.payment.schemes].join(' ')
}

function wayOf(name: string, provider: Provider): Way {
  const [currency = ''] = provider.currencies
  return {
    name,
    provider,
    currency,
    value: 100 * 10 ** minorDigits(currency),
    payerEndings: payerEndingsOf(provider),
    payeeEndings: provider.featureSet.payout.canPayTo ? allEndings : [],
    payer: (digits) => payerOf(provider, digits),
    payee: (digits) => payeeOf(provider, digits),
  }
}

function payerEndingsOf({ protocol, type }: Provider): string[] {
  // On a card page, the submit cannot be lost or fail.
  if (type === 'card') return allEndings.filter((digits) => digits !== '007' && digits !== '008')
  // If the payer dials, the rail never sees an account number.
  return protocol === 'paystack' && type === 'bank' ? ['456'] : allEndings
}

function payerOf(provider: Provider, digits: string): Account {
  if (provider.type === 'card') return {}
  if (provider.type === 'bank') return { accountNumber: `0011223${digits}` }
  return provider.type === 'wallet' ? { walletId: `fatu${digits}` } : { phone: phoneOf(provider, digits) }
}

function payeeOf(provider: Provider, digits: string): object {
  const { type, providerId } = provider
  const { phone, ...account } = payerOf(provider, digits)
  return { type, providerId, ...account, ...(phone && { phoneNumber: phone }) }
}
