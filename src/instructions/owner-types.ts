/** The types of object that instructions are for, as in URLs, logs and owners of postings. */
export const ownerTypes = ['payment', 'payout', 'refund'] as const
export type OwnerType = (typeof ownerTypes)[number]
