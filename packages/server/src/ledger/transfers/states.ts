// A transfer is pending, then processing, then completed or failed. A pending transfer that is cancelled
// becomes failed. An immediate transfer is created in its final state. A scheduled one stays pending until it
// is due.

export const statuses = ['pending', 'processing', 'completed', 'failed'] as const
export type TransferStatus = (typeof statuses)[number]

export const transferFailures = ['fund_insufficient', 'cancelled', 'unknown'] as const
export type TransferFailure = (typeof transferFailures)[number]
