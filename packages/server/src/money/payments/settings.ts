import { type SettingsOf, setting } from '../../platform/config.ts'
import { durationAtLeast, whole } from '../../platform/setting-values.ts'

/** Defines a setting that limits the prompts to one phone. */
const prompts = (name: string, count: number, max: number, which: string) =>
  setting(
    name,
    String(count),
    `Maximum number of payment prompts that one phone may ${which} environment. One Space may use three quarters of this number.`,
    whole(count, 1, max),
  )

export const settings = {
  promptsAtOnceTest: prompts('PROMPTS_AT_ONCE_TEST', 24, 1000, 'have open across all Spaces in the test'),
  promptsAtOnceLive: prompts('PROMPTS_AT_ONCE_LIVE', 4, 1000, 'have open across all Spaces in the live'),
  promptsTest: prompts('PROMPTS_TEST', 6000, 1e6, 'receive per PROMPTS_WINDOW across all Spaces in the test'),
  promptsLive: prompts('PROMPTS_LIVE', 12, 1e6, 'receive per PROMPTS_WINDOW across all Spaces in the live'),
  promptsWindowMs: setting(
    'PROMPTS_WINDOW',
    '10m',
    'Time window for PROMPTS_TEST and PROMPTS_LIVE.',
    durationAtLeast('10m', '1s'),
  ),
} as const

export type PaymentSettings = SettingsOf<typeof settings>
