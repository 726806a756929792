import { readSecret } from '../events/webhooks/signing.ts'
import { type SettingsOf, setting } from '../platform/config.ts'
import { optional, url, whole } from '../platform/setting-values.ts'

export const settings = {
  pageLimit: setting(
    'PAGE_LIMIT',
    '10',
    'Payment attempts per second from one address on the payment pages; receipts as PDF count too.',
    whole(10, 1, 1e6),
  ),
  smsUrl: setting(
    'SMS_URL',
    'https://sms.example/send',
    'Where text messages to payers are posted, signed with SMS_SECRET; see docs/guides/receipts.md. Default: none are sent.',
    url,
  ),
  smsSecret: setting(
    'SMS_SECRET',
    'whsec_ and base64 of 24 to 64 random bytes',
    'The key that signs what is posted to SMS_URL.',
    optional,
  ),
} as const

export type CheckoutSettings = SettingsOf<typeof settings>

/** What settings that are good one by one lack together. */
export const smsFault = ({ smsUrl, smsSecret }: CheckoutSettings): string | undefined =>
  smsUrl && readSecret(smsSecret ?? '') === undefined
    ? 'SMS_SECRET must be whsec_ and base64 of 24 to 64 bytes where SMS_URL is set'
    : undefined
