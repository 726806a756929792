import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const otpIds = idKind('otp')

export const resources: Resource[] = [
  { type: 'ussd_otp', ids: otpIds, happenings: ['created', 'verified', 'expired'] },
]
