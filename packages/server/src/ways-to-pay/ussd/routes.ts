import { resource } from '../../platform/http/commands/resource.ts'
import type { Call, Route } from '../../platform/http/commands/route.ts'
import { object, optionalEnum } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { createCountryCache, findCountries } from '../../tenants/spaces/countries.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { createOtps, type OtpRequest, prepareOtps, validatePhone } from './new-otp.ts'
import { selectOtps, shareOtps } from './otp-store.ts'
import { presentOtp, withdrawOtp } from './otps.ts'
import { otpIds } from './resources.ts'
import { newOtp, otp } from './shapes.ts'
import { statuses } from './states.ts'

const requestOf = ({ scope, body, now: at }: Call<unknown, OtpRequest['body']>): OtpRequest => ({
  scope,
  body,
  at,
})

export function otpRoutes({ db, settings }: Platform<PaymentCodeSettings>): Route[] {
  const countries = createCountryCache()
  const otps = resource({
    url: '/v1/ussd-otps',
    permission: 'ussd-otps',
    idKind: otpIds,
    result: otp,
    find: shareOtps(db),
    present: (row) => presentOtp(settings, row),
  })
  return [
    otps.createEach({
      summary: 'Create a one-time password',
      reasons: ['state_conflict'],
      body: newOtp,
      example: {
        authorizedPhoneNumber: '+23276123456',
        verificationMessage: 'Welcome back.',
        duration: '5m',
      },
      rules: [
        {
          about: ['authorizedPhoneNumber'],
          says: '`authorizedPhoneNumber` must be a valid phone number, in E.164 format or the national format of the Space’s country.',
        },
      ],
      validate: async (db, { scope, body: { authorizedPhoneNumber } }, issues) => {
        if (authorizedPhoneNumber === undefined) return
        const request = { scope, body: { authorizedPhoneNumber } }
        validatePhone(await findCountries(db, [request], countries), request, issues)
      },
      writeEach: (tx, calls) => createOtps(tx, settings, calls.map(requestOf)),
      prepareNew: (calls) => prepareOtps(db, settings, countries, calls.map(requestOf)),
    }),
    otps.list({
      summary: 'List one-time passwords',
      query: object({
        status: optionalEnum(statuses, 'Only one-time passwords with this status.'),
      }),
      list: ({ scope, query }, page) => selectOtps(db, scope, query, page),
    }),
    otps.read({ summary: 'Retrieve a one-time password' }),
    otps.remove({
      summary: 'End a one-time password',
      about: 'Before it expires.',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => withdrawOtp(tx, settings, scope, id, now),
    }),
  ]
}
