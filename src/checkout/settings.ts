import { type SettingsOf, setting } from '../platform/config.ts'
import { whole } from '../platform/setting-values.ts'

export const settings = {
  pageLimit: setting(
    'PAGE_LIMIT',
    '10',
    'Payment attempts a second that one address may make on the payment pages, and receipts as PDF.',
    whole(10, 1, 1e6),
  ),
} as const

export type CheckoutSettings = SettingsOf<typeof settings>
