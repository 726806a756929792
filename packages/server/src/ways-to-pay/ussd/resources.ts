import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const otpIds = idKind('otp')

export const resources = [
  {
    type: 'ussd_otp',
    ids: otpIds,
    readPermission: 'ussd-otps:read',
    eventTypes: {
      created: 'A one-time password was created.',
      verified: 'The one-time password was dialled from the authorized phone.',
      expired: 'The one-time password was not dialled in time or was ended early.',
    },
  },
] as const satisfies readonly Resource[]
