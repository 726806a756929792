import Type from 'typebox'
import { phoneNumber } from '../../countries/shapes.ts'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  createTime,
  duration,
  metadata,
  object,
  optional,
  optionalText,
  ownId,
  shownMetadata,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { defaultDuration } from './new-otp.ts'
import { otpIds } from './resources.ts'
import { statuses } from './states.ts'

export const newOtp = object(
  {
    authorizedPhoneNumber: withDescription(
      personal(phoneNumber, 'phone'),
      'The only phone number that can verify the password, in E.164 format or the national format of the Space’s country.',
    ),
    verificationMessage: optionalText(
      255,
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

export const otp = object(
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
    verificationMessage: textOrNull('Text shown on the phone after dialling; null for the default text.'),
    createTime,
    expireTime: withDescription(timestamp, 'Time at which the password expires.'),
    metadata: shownMetadata,
  },
  { title: 'UssdOtp' },
)
