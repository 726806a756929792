import { type SettingsOf, setting } from '../platform/config.ts'
import { durationAtLeast, whole } from '../platform/setting-values.ts'

export const settings = {
  promptsAtOnceTest: setting(
    'PROMPTS_AT_ONCE_TEST',
    '24',
    'Payments that one phone is asked for at the same time, over all Spaces, test; one Space may use three quarters.',
    whole(24, 1, 1000),
  ),
  promptsAtOnceLive: setting(
    'PROMPTS_AT_ONCE_LIVE',
    '4',
    'Payments that one phone is asked for at the same time, over all Spaces, live; one Space may use three quarters.',
    whole(4, 1, 1000),
  ),
  promptsTest: setting(
    'PROMPTS_TEST',
    '6000',
    'Payments that one phone is asked for within PROMPTS_WINDOW, over all Spaces, test; one Space may use three quarters.',
    whole(6000, 1, 1e6),
  ),
  promptsLive: setting(
    'PROMPTS_LIVE',
    '12',
    'Payments that one phone is asked for within PROMPTS_WINDOW, over all Spaces, live; one Space may use three quarters.',
    whole(12, 1, 1e6),
  ),
  promptsWindowMs: setting(
    'PROMPTS_WINDOW',
    '10m',
    'The time that PROMPTS_TEST and PROMPTS_LIVE are for.',
    durationAtLeast('10m', '1s'),
  ),
} as const

export type PaymentSettings = SettingsOf<typeof settings>
