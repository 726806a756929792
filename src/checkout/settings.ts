import { type SettingsOf, setting } from '../platform/config.ts'
import { whole } from '../platform/setting-values.ts'

export const settings = {
  pageLimit: setting(
    'PAGE_LIMIT',
    '10',
    'Payment attempts per second from one address on the payment pages; receipts as PDF count too.',
    whole(10, 1, 1e6),
  ),
} as const

export type CheckoutSettings = SettingsOf<typeof settings>
