import { setting } from '../platform/config.ts'
import { oneOf } from '../platform/setting-values.ts'

export const settings = {
  requestLog: setting(
    'REQUEST_LOG',
    'on',
    'Whether requests of the API are kept for seven days, masked, for those who look for what went wrong.',
    oneOf('on', 'on', 'off'),
  ),
} as const
