/**
 * Kinds of personal data that are kept for the same time. The operator sets a minimum and a maximum for each,
 * and a Space chooses a period between them.
 */
export const retentionClasses = ['financial_records', 'contact_details', 'one_time_codes'] as const
export type RetentionClass = (typeof retentionClasses)[number]

/** Periods in days, counted from the creation of an object. */
export type PeriodBounds = { minDays: number; standardDays: number; maxDays: number }
