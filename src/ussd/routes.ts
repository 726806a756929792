import Type from 'typebox'
import { phoneNumber } from '../countries/shapes.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { personal } from '../platform/http/personal.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  createTime,
  described,
  duration,
  explained,
  metadata,
  nullableText,
  object,
  optional,
  ownId,
  shownMetadata,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { selectOtps, shareOtps, statuses } from './otp-store.ts'
import { createOtp, defaultDuration, judgePhone, presentOtp, withdrawOtp } from './otps.ts'
import { otpIds } from './resources.ts'

const newOtp = object(
  {
    authorizedPhoneNumber: described(
      personal(phoneNumber, 'phone'),
      'The only phone that counts: in E.164, or as the Space’s country writes it.',
    ),
    verificationMessage: described(
      optional(text(0, 255)),
      'What the phone is shown once it has dialled, cut to what a handset can show.',
    ),
    duration: described(optional(duration('30s', '1h', defaultDuration)), 'How long it can be dialled.'), // limit: the life of an OTP
    metadata: optional(metadata),
  },
  { title: 'NewUssdOtp' },
)

const otp = object(
  {
    id: ownId(otpIds),
    status: explained(Type.Enum(statuses), 'Whether the phone has proved itself.', {
      pending: 'it has not dialled yet',
      verified: 'it has',
      expired: 'it was not dialled in time, or you ended it',
    }),
    dialCode: Type.String({ description: 'Show this to who is to dial it.', examples: ['*715*482915#'] }),
    authorizedPhoneNumber: described(
      personal(Type.String({ examples: ['+23276123456'] }), 'phone'),
      'The only phone that counts, in E.164.',
    ),
    verificationMessage: described(
      nullableText,
      'What the phone is shown once it has dialled; null: words of ours.',
    ),
    createTime,
    expireTime: described(timestamp, 'The moment from which it cannot be dialled.'),
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
      query: object({ status: described(optional(Type.Enum(statuses)), 'Only those of this status.') }),
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
