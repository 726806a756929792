import { setting } from '../../platform/config.ts'
import { oneOf } from '../../platform/setting-values.ts'

export const settings = {
  requestLog: setting(
    'REQUEST_LOG',
    'on',
    'Request log: keeps API requests for seven days, with secrets masked, for debugging.',
    oneOf('on', 'on', 'off'),
  ),
} as const
