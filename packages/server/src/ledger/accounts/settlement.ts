/**
 * The column of the settlement report in which a movement on a clearing account is counted. All other movements
 * are counted as `other`.
 */
export type SettlementColumn = 'collected' | 'refunded' | 'paidOut' | 'settled'

/** For each type of object for which money is moved, the column in which its movements are counted. */
export type SettlementColumns = Record<string, SettlementColumn>
