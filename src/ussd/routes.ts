import Type from 'typebox'
import { phoneNumber } from '../countries/shapes.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { command, list, type Route, read, remove } from '../platform/http/route.ts'
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
import { Refusal } from '../platform/refusals.ts'
import { selectOtps, shareOtps } from './otp-store.ts'
import { createOtp, defaultDuration, judgePhone, presentOtp, withdrawOtp } from './otps.ts'
import { otpIds } from './resources.ts'

const newOtp = object(
  {
    authorizedPhoneNumber: phoneNumber,
    verificationMessage: optional(text(0, 255)),
    duration: optional(duration('30s', '1h', defaultDuration)),
    metadata: optional(metadata),
  },
  { title: 'NewUssdOtp' },
)

const otp = object(
  {
    id: idOf(otpIds),
    status: Type.Enum(['pending', 'verified', 'expired']),
    dialCode: Type.String({ description: 'Show this to who is to dial it.', examples: ['*715*482915#'] }),
    authorizedPhoneNumber: Type.String({ examples: ['+23276123456'] }),
    verificationMessage: nullableText,
    createTime: timestamp,
    expireTime: timestamp,
    metadata: freeObject,
  },
  { title: 'UssdOtp' },
)

export const otpRoutes = (parts: Platform<PaymentCodeSettings>, find = shareOtps(parts.db)): Route[] => [
  command({
    url: '/v1/ussd-otps',
    summary: 'Create a one-time password that is dialled',
    permission: 'ussd-otps:write',
    body: newOtp,
    result: otp,
    example: { authorizedPhoneNumber: '+23276123456', verificationMessage: 'Welcome back.', duration: '5m' },
    rules: [
      {
        about: ['authorizedPhoneNumber'],
        says: '`authorizedPhoneNumber` is a number that there can be: E.164, or the national form of the Space’s country.',
      },
    ],
    judge: async (db, { scope, body: { authorizedPhoneNumber } }, faults) => {
      if (authorizedPhoneNumber !== undefined) await judgePhone(db, scope, authorizedPhoneNumber, faults)
    },
    write: async (tx, { scope, body, now }) =>
      presentOtp(parts, await createOtp(tx, parts, scope, body, now)),
  }),
  list({
    url: '/v1/ussd-otps',
    summary: 'List one-time passwords',
    permission: 'ussd-otps:read',
    result: otp,
    list: ({ scope }, page) => selectOtps(parts.db, scope, page),
    position: ({ id }) => id,
    present: (row) => presentOtp(parts, row),
  }),
  read({
    url: '/v1/ussd-otps/:id',
    summary: 'Retrieve a one-time password',
    permission: 'ussd-otps:read',
    idKind: otpIds,
    result: otp,
    read: async ({ scope, id }) => {
      const found = await find(scope, id)
      if (!found) throw new Refusal('not_found')
      return presentOtp(parts, found)
    },
  }),
  remove({
    url: '/v1/ussd-otps/:id',
    summary: 'End a one-time password early',
    permission: 'ussd-otps:write',
    idKind: otpIds,
    write: async (tx, { scope, id, now }) => {
      await withdrawOtp(tx, parts, scope, id, now)
    },
  }),
]
