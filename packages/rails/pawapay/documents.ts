import { type MoneyOrder, msisdnOf, plainTextOf, type RailKind, type RailRefund } from '@pesewa/connector-kit'
import type { PawapayOperation } from './active-conf.ts'

/** The paths for submits and queries of each kind of payment, and the field that contains our reference. */
export const kinds = {
  collect: { operation: 'DEPOSIT', path: '/v2/deposits', id: 'depositId' },
  disburse: { operation: 'PAYOUT', path: '/v2/payouts', id: 'payoutId' },
  refund: { operation: 'REFUND', path: '/v2/refunds', id: 'refundId' },
} as const satisfies Record<RailKind, { operation: PawapayOperation; path: string; id: string }>

export const partyOf = (provider: string, account: string) => ({
  type: 'MMO',
  accountDetails: { phoneNumber: msisdnOf(account), provider },
})

const maxReasonLength = 100 // maximum length of a refund's reason in a request to pawaPay

/** Returns the reason for a refund, which pawaPay stores but does not show to anyone. */
export const reasonOf = ({ description }: Pick<RailRefund, 'description'>) => ({
  metadata: [{ reason: description.slice(0, maxReasonLength) }],
})

const minMessageLength = 4
const maxMessageLength = 22 // maximum length of the text that pawaPay shows with a payment

/**
 * Formats the text shown to the payer, which may contain only letters, digits and spaces. If too few characters
 * remain, the text is omitted.
 */
export function messageOf({ description }: Pick<MoneyOrder, 'description'>): { customerMessage?: string } {
  const customerMessage = plainTextOf(description, maxMessageLength, /[^A-Za-z0-9]+/g)
  return customerMessage.length < minMessageLength ? {} : { customerMessage }
}
