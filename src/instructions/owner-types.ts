/** What instructions are for, as addresses, logs and the owners of postings name it. */
export const ownerTypes = ['payment', 'payout', 'refund'] as const
export type OwnerType = (typeof ownerTypes)[number]
