import { type SettingsOf, setting } from '../../platform/config.ts'
import { durationAtLeast } from '../../platform/setting-values.ts'

export const settings = {
  refundWindowMs: setting(
    'REFUND_WINDOW',
    '180d',
    'How long after completion a payment can be refunded.',
    durationAtLeast('180d', '1h'),
  ),
} as const

export type RefundSettings = SettingsOf<typeof settings>
