import { type SettingsOf, setting } from '../../platform/config.ts'
import { whole } from '../../platform/setting-values.ts'

export const settings = {
  callbackLimit: setting(
    'CALLBACK_LIMIT',
    '500',
    'Maximum number of provider callbacks accepted per second from one address.',
    whole(500, 1, 1e6),
  ),
} as const

export type InstructionSettings = SettingsOf<typeof settings>
