import { readSecret } from '../../events/webhooks/signing.ts'
import { type SettingsOf, setting } from '../../platform/config.ts'
import { optional, url, whole } from '../../platform/setting-values.ts'

export const settings = {
  pageLimit: setting(
    'PAGE_LIMIT',
    '10',
    'Payment attempts and PDF receipts allowed per second from one address on the payment pages.',
    whole(10, 1, 1e6),
  ),
  smsUrl: setting(
    'SMS_URL',
    'https://sms.example/send',
    'URL to which text messages for payers are posted, signed with SMS_SECRET; see docs/guides/receipts.md. Default: no text messages are sent.',
    url,
  ),
  smsSecret: setting(
    'SMS_SECRET',
    'whsec_ followed by the base64 of 24 to 64 random bytes',
    'Signing key for requests to SMS_URL.',
    optional,
  ),
} as const

export type CheckoutSettings = SettingsOf<typeof settings>

/** Returns what is wrong with the combination of these settings, which are individually valid. */
export const smsIssue = ({ smsUrl, smsSecret }: CheckoutSettings): string | undefined =>
  smsUrl && readSecret(smsSecret ?? '') === undefined
    ? 'SMS_SECRET must be whsec_ followed by the base64 of 24 to 64 bytes if SMS_URL is set'
    : undefined
