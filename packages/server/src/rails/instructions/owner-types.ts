/** The types of objects that have instructions, as used in URLs, logs and the owners of postings. */
export const ownerTypes = ['payment', 'payout', 'refund'] as const
export type OwnerType = (typeof ownerTypes)[number]
