/** What a report of a provider calls what moved over its clearing accounts; all else is called other. */
export type SettlementColumn = 'collected' | 'refunded' | 'paidOut' | 'settled'

/** By the type of what the money moved for, as owners name it. */
export type SettlementColumns = Record<string, SettlementColumn>
