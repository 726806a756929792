import type { Payment, Payout, Refund } from '../../../../sdk/src/index.ts'

/** The statuses that payments, payouts and refunds have in common. */
export const moneyStatuses = ['pending', 'processing', 'completed', 'failed'] as const
export type ListedStatus = (typeof moneyStatuses)[number]

export type MoneyObject = Payment | Payout | Refund

/**
 * Returns a row for a table, with the provider and the masked account of the payer or payee in columns of their
 * own.
 */
export function toTableRow(object: MoneyObject) {
  const party = 'channel' in object ? object.channel : object.destination
  const { phoneNumber, accountNumber, walletId } = party
  return {
    ...object,
    provider: 'provider' in party ? party.provider : party.providerId,
    account: phoneNumber ?? accountNumber ?? walletId ?? ('last4' in party ? party.last4 : null),
  }
}
