import { type SettingsOf, setting } from '../../platform/config.ts'
import { parseDuration } from '../../platform/duration.ts'
import type { PeriodBounds, RetentionClass } from './classes.ts'

const dayMs = 86_400_000
const longestDays = 36_525 // limit: days for which personal data can be kept

/** Accepts a minimum, a standard and a maximum period, such as `1826d,2557d,3653d`. */
const periods =
  (fallback: string) =>
  (value: string = fallback): string => {
    const { minDays, standardDays, maxDays } = readPeriods(value)
    const isOrdered = minDays >= 0 && minDays <= standardDays && standardDays >= 1 && standardDays <= maxDays
    const isWhole = [minDays, standardDays, maxDays].every(Number.isInteger)
    if (!isOrdered || !isWhole || maxDays > longestDays || value.split(',').length !== 3)
      throw new Error(
        `must be a minimum, a standard and a maximum in whole days, such as ${fallback}, up to ${longestDays}d`,
      )
    return value
  }

function readPeriods(value: string): PeriodBounds {
  const [minDays = -1, standardDays = -1, maxDays = -1] = value
    .split(',')
    .map((part) => (parseDuration(part.trim()) ?? -dayMs) / dayMs)
  return { minDays, standardDays, maxDays }
}

const period = (name: string, fallback: string, what: string) =>
  setting(
    name,
    fallback,
    `How long ${what} are kept: the minimum, the standard and the maximum. A Space can choose a period between the minimum and the maximum.`,
    periods(fallback),
  )

export const settings = {
  financialRecordsRetention: period(
    'FINANCIAL_RECORDS_RETENTION',
    '1826d,2557d,3653d',
    'phone and account numbers in payments, payouts and refunds',
  ),
  contactDetailsRetention: period(
    'CONTACT_DETAILS_RETENTION',
    '0d,730d,3653d',
    'customers’ names and numbers in payment codes, and references that payers typed,',
  ),
  oneTimeCodesRetention: period(
    'ONE_TIME_CODES_RETENTION',
    '0d,90d,3653d',
    'phone numbers of one-time passwords',
  ),
} as const

export type RetentionSettings = SettingsOf<typeof settings>

/** Returns the periods that the operator permits for a class. */
export const boundsOf = (settings: RetentionSettings, of: RetentionClass): PeriodBounds =>
  readPeriods(
    {
      financial_records: settings.financialRecordsRetention,
      contact_details: settings.contactDetailsRetention,
      one_time_codes: settings.oneTimeCodesRetention,
    }[of],
  )
