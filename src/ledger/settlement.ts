/** A column of the settlement report for movements on clearing accounts; all others count as `other`. */
export type SettlementColumn = 'collected' | 'refunded' | 'paidOut' | 'settled'

/** By the type of object that the money moved for. */
export type SettlementColumns = Record<string, SettlementColumn>
