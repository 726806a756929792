import Type from 'typebox'
import { phoneNumber } from '../../countries/shapes.ts'
import { personal } from '../../platform/http/admission/personal.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import {
  createTime,
  duration,
  metadata,
  nullableText,
  object,
  optional,
  ownId,
  shownMetadata,
  text,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { selectOtps, shareOtps, statuses } from './otp-store.ts'
import { createOtp, defaultDuration, presentOtp, validatePhone, withdrawOtp } from './otps.ts'
import { otpIds } from './resources.ts'

const newOtp = object(
  {
    authorizedPhoneNumber: withDescription(
      personal(phoneNumber, 'phone'),
      'The only phone number that can verify the password, in E.164 format or the national format of the Space’s country.',
    ),
    verificationMessage: withDescription(
      optional(text(0, 255)),
      'Text shown on the phone after dialling. It is truncated to fit a USSD screen.',
    ),
    duration: withDescription(
      optional(duration('30s', '1h', defaultDuration)), // limit: lifetime of an OTP
      'Time until the password expires.',
    ),
    metadata: optional(metadata),
  },
  { title: 'NewUssdOtp' },
)

const otp = object(
  {
    id: ownId(otpIds),
    status: withMeanings(Type.Enum(statuses), 'Verification status.', {
      pending: 'it has not been dialled yet',
      verified: 'it was dialled from the authorized phone',
      expired: 'it was not dialled in time, or you ended it early',
    }),
    dialCode: Type.String({
      description: 'Code to show to the holder of the phone, who then dials it.',
      examples: ['*715*482915#'],
    }),
    authorizedPhoneNumber: withDescription(
      personal(Type.String({ examples: ['+23276123456'] }), 'phone'),
      'The only phone number that can verify the password, in E.164 format.',
    ),
    verificationMessage: withDescription(
      nullableText,
      'Text shown on the phone after dialling; null for the default text.',
    ),
    createTime,
    expireTime: withDescription(timestamp, 'Time at which the password expires.'),
    metadata: shownMetadata,
  },
  { title: 'UssdOtp' },
)

export function otpRoutes({ db, settings }: Platform<PaymentCodeSettings>): Route[] {
  const otps = resource({
    url: '/v1/ussd-otps',
    permission: 'ussd-otps',
    idKind: otpIds,
    result: otp,
    find: shareOtps(db),
    present: (row) => presentOtp(settings, row),
  })
  return [
    otps.create({
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
        if (authorizedPhoneNumber !== undefined) await validatePhone(db, scope, authorizedPhoneNumber, issues)
      },
      write: (tx, { scope, body, now }) => createOtp(tx, settings, scope, body, now),
    }),
    otps.list({
      summary: 'List one-time passwords',
      query: object({
        status: withDescription(optional(Type.Enum(statuses)), 'Only one-time passwords with this status.'),
      }),
      list: ({ scope, query }, page) => selectOtps(db, scope, query, page),
    }),
    otps.read({ summary: 'Retrieve a one-time password' }),
    otps.remove({
      summary: 'End a one-time password early',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => withdrawOtp(tx, settings, scope, id, now),
    }),
  ]
}
