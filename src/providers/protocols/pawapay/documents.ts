import type { MoneyOrder, RailRefund } from '../../connector.ts'
import type { RailKind } from '../../lane.ts'
import type { PawapayOperation } from './active-conf.ts'

/** Where each kind is submitted and queried, and the field of our reference. */
export const kinds = {
  collect: { operation: 'DEPOSIT', path: '/v2/deposits', id: 'depositId' },
  disburse: { operation: 'PAYOUT', path: '/v2/payouts', id: 'payoutId' },
  refund: { operation: 'REFUND', path: '/v2/refunds', id: 'refundId' },
} as const satisfies Record<RailKind, { operation: PawapayOperation; path: string; id: string }>

export const partyOf = (provider: string, account: string) => ({
  type: 'MMO',
  accountDetails: { phoneNumber: msisdnOf(account), provider },
})

/** pawaPay writes phone numbers without the plus. */
export const msisdnOf = (account: string) => account.replace('+', '')

const maxReasonLength = 100 // limit: the reason of a refund, as pawaPay takes it

/** Why money is given back: kept by pawaPay, and shown to nobody. */
export const reasonOf = ({ description }: Pick<RailRefund, 'description'>) => ({
  metadata: [{ reason: description.slice(0, maxReasonLength) }],
})

const minMessageLength = 4
const maxMessageLength = 22 // limit: what pawaPay shows its customer of a payment

/** What the customer is shown: letters, digits and spaces; left out where too little remains of it. */
export function messageOf({ description }: Pick<MoneyOrder, 'description'>): { customerMessage?: string } {
  const plain = description
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
  const customerMessage = plain.trim().slice(0, maxMessageLength).trim()
  return customerMessage.length < minMessageLength ? {} : { customerMessage }
}
