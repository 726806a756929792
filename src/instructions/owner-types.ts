/** The types of object that have instructions, as used in URLs, logs and owners of postings. */
export const ownerTypes = ['payment', 'payout', 'refund'] as const
export type OwnerType = (typeof ownerTypes)[number]
