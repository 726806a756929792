/**
 * The column of the settlement report that counts a movement on a clearing account; all others count as
 * `other`.
 */
export type SettlementColumn = 'collected' | 'refunded' | 'paidOut' | 'settled'

/** Columns by the type of object that the money moved for. */
export type SettlementColumns = Record<string, SettlementColumn>
