import { type SettingsOf, setting } from '../platform/config.ts'
import { durationAtLeast, whole } from '../platform/setting-values.ts'

/** How many prompts one phone may get. */
const prompts = (name: string, count: number, max: number, which: string) =>
  setting(
    name,
    String(count),
    `Payment prompts that one phone may ${which}; one Space may use three quarters.`,
    whole(count, 1, max),
  )

export const settings = {
  promptsAtOnceTest: prompts('PROMPTS_AT_ONCE_TEST', 24, 1000, 'have open at once, over all Spaces, test'),
  promptsAtOnceLive: prompts('PROMPTS_AT_ONCE_LIVE', 4, 1000, 'have open at once, over all Spaces, live'),
  promptsTest: prompts('PROMPTS_TEST', 6000, 1e6, 'get within PROMPTS_WINDOW, over all Spaces, test'),
  promptsLive: prompts('PROMPTS_LIVE', 12, 1e6, 'get within PROMPTS_WINDOW, over all Spaces, live'),
  promptsWindowMs: setting(
    'PROMPTS_WINDOW',
    '10m',
    'The time window of PROMPTS_TEST and PROMPTS_LIVE.',
    durationAtLeast('10m', '1s'),
  ),
} as const

export type PaymentSettings = SettingsOf<typeof settings>
