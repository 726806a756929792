import { readAndWrite } from '../../tenants/spaces/permissions.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'
import type { UssdParts } from './step.ts'

export const slice = {
  folder: 'ways-to-pay/ussd',
  tables: ['ussd_otps', 'ussd_otp_numbers', 'ussd_phones', 'ussd_sessions'],
  functions: ['ussd_otp_terms', 'ussd_otp_outcome', 'ussd_otp_seal'],
  settings,
  resources,
  permissions: readAndWrite('ussd-otps'),
  tags: {
    'ussd-otps': 'One-time passwords that users dial to verify their phone number.',
  },
  async routes(parts: UssdParts) {
    const { otpRoutes } = await import('./routes.ts')
    const { gatewayRoutes } = await import('./gateway.ts')
    return [...otpRoutes(parts), ...gatewayRoutes(parts)]
  },
  jobs: async (parts: UssdParts) => (await import('./jobs.ts')).ussdJobs(parts),
  async personalData(settings: PaymentCodeSettings) {
    const { otpRecords, phoneRecords } = await import('./personal-data.ts')
    return { records: [phoneRecords, otpRecords(settings)] }
  },
  calendar: { '37 * * * *': 'ussd-sessions.forget' },
}
