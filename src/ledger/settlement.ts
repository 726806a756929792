/**
 * The column of the settlement report in which a movement on a clearing account is counted. All other movements
 * are counted as `other`.
 */
export type SettlementColumn = 'collected' | 'refunded' | 'paidOut' | 'settled'

/** The column for each type of object for which money is moved. */
export type SettlementColumns = Record<string, SettlementColumn>
