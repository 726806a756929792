import Type from 'typebox'
import { phoneNumber } from '../countries/shapes.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  duration,
  freeObject,
  idOf,
  metadata,
  nullableText,
  object,
  optional,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { selectOtps, shareOtps, statuses } from './otp-store.ts'
import { createOtp, defaultDuration, judgePhone, presentOtp, withdrawOtp } from './otps.ts'
import { otpIds } from './resources.ts'

const newOtp = object(
  {
    authorizedPhoneNumber: phoneNumber,
    verificationMessage: optional(text(0, 255)),
    duration: optional(duration('30s', '1h', defaultDuration)), // limit: the life of an OTP
    metadata: optional(metadata),
  },
  { title: 'NewUssdOtp' },
)

const otp = object(
  {
    id: idOf(otpIds),
    status: Type.Enum(statuses),
    dialCode: Type.String({ description: 'Show this to who is to dial it.', examples: ['*715*482915#'] }),
    authorizedPhoneNumber: Type.String({ examples: ['+23276123456'] }),
    verificationMessage: nullableText,
    createTime: timestamp,
    expireTime: timestamp,
    metadata: freeObject,
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
      summary: 'Create a one-time password that is dialled',
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
          says: '`authorizedPhoneNumber` is a number that there can be: E.164, or the national form of the Space’s country.',
        },
      ],
      judge: async (db, { scope, body: { authorizedPhoneNumber } }, faults) => {
        if (authorizedPhoneNumber !== undefined) await judgePhone(db, scope, authorizedPhoneNumber, faults)
      },
      write: (tx, { scope, body, now }) => createOtp(tx, settings, scope, body, now),
    }),
    otps.list({
      summary: 'List one-time passwords',
      query: object({ status: optional(Type.Enum(statuses)) }),
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
