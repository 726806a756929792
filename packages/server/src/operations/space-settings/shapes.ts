import { maxAmount } from '@pesewa/values'
import Type from 'typebox'
import { phoneNumber } from '../../countries/shapes.ts'
import { feeCodes } from '../../money/fees/codes.ts'
import {
  clearable,
  createTime,
  idOf,
  nameText,
  nullableAddress,
  nullableText,
  object,
  optional,
  text,
  timestamp,
  webAddress,
  webColor,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { spaceIds, userIds } from '../../tenants/spaces/resources.ts'
import { isLogo, logoRule, maxLogoText } from './logos.ts'

const above = object(
  {
    currency: withDescription(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
      'Three-letter ISO 4217 currency code.',
    ),
    value: withDescription(
      Type.Integer({ minimum: 0, maximum: maxAmount, examples: [100_000] }),
      'Limit in minor units. Larger amounts need the approval of another member.',
    ),
  },
  { title: 'ApprovalAbove' },
)
const approvals = (what: string, more: object = {}) =>
  Type.Array(above, {
    description: `Amounts above which another member must approve ${what}, with one entry for each currency. Amounts in currencies that are not listed need no approval.`,
    ...more,
  })
const replaced = { maxItems: 50 } // limit: currencies with an approval limit
export const whenShort = Type.Enum(['refuse', 'queue'], {
  description:
    'What happens to refunds when the balance is insufficient. `refuse`: the refund is refused; `queue`: it waits for up to 30 days until the balance is sufficient.',
})
export const returnsPaymentFee = Type.Boolean({
  description: 'Set to true to return the fee of a payment to the Space when the payment is refunded.',
})
const receiptsBySms = Type.Boolean({
  description:
    'Set to true to send payers a text message with a link to their receipt after they have paid a checkout session by mobile money, provided that the operator has set up SMS.',
})

const logo = Type.Refine(
  Type.String({
    maxLength: maxLogoText,
    pattern: '^data:image/png;base64,[A-Za-z0-9+/]+={0,2}$',
    description: 'PNG of at most 64 KiB and 1024 × 1024 pixels, as a `data:` URL.',
    examples: [
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ],
  }),
  (value) => isLogo(value),
  () => logoRule,
)

const brandChange = object({
  name: clearable(nameText(1, 100, { description: 'Name shown to payers instead of the Space’s name.' })),
  color: withDescription(
    clearable(webColor),
    'Colour of buttons and headings: `#` and 3 or 6 hexadecimal digits.',
  ),
  logo: clearable(logo),
  supportEmail: withDescription(
    clearable(text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['help@shop.example'] })),
    'Support email address for payers.',
  ),
  supportPhone: withDescription(clearable(phoneNumber), 'Support phone number for payers.'),
  termsUrl: withDescription(clearable(webAddress()), 'URL of the terms of sale.'),
  address: clearable(
    nameText(1, 200, {
      description: 'Postal address on receipts and statements.',
      examples: ['12 Siaka Stevens Street, Freetown'],
    }),
  ),
  taxNumber: clearable(
    nameText(1, 40, { description: 'Tax number on receipts and statements.', examples: ['TIN 1000123-4'] }),
  ),
})

export const settingsChange = object(
  {
    brand: withDescription(optional(brandChange), 'Branding of the pages that payers see.'),
    payoutApprovalAbove: optional(approvals('a payout', replaced)),
    refundApprovalAbove: optional(approvals('a refund', replaced)),
    refundsWhenShort: optional(whenShort),
    returnsPaymentFee: optional(returnsPaymentFee),
    receiptsBySms: optional(receiptsBySms),
    reason: optional(
      nameText(1, 500, { description: 'Reason for the change, which is recorded in the audit entry.' }),
    ),
  },
  { minProperties: 1, title: 'SettingsChange' },
)

export const settings = object(
  {
    spaceId: withDescription(idOf(spaceIds), 'Space that the settings belong to.'),
    name: withDescription(Type.String({ examples: ['Country Cloth Shop'] }), 'Name of the Space.'),
    country: withDescription(
      Type.String({ examples: ['SL'] }),
      'Country of the Space as a two-letter ISO 3166-1 code.',
    ),
    timeZone: Type.String({
      description: 'Time zone that determines the Space’s days and months.',
      examples: ['Africa/Freetown'],
    }),
    createTime,
    brand: withDescription(
      object({
        name: withDescription(nullableText, 'Name shown to payers instead of the Space’s name.'),
        color: withDescription(nullableText, 'Colour of buttons and headings.'),
        supportEmail: withDescription(nullableText, 'Support email address for payers.'),
        supportPhone: withDescription(nullableText, 'Support phone number for payers.'),
        termsUrl: withDescription(nullableAddress, 'URL of the terms of sale.'),
        address: withDescription(nullableText, 'Postal address on receipts and statements.'),
        taxNumber: withDescription(nullableText, 'Tax number on receipts and statements.'),
      }),
      'Branding of the pages that payers see. Fields that are not set are null.',
    ),
    logoUrl: withDescription(nullableAddress, 'URL of the logo. A new logo gets a new URL.'),
    payoutApprovalAbove: approvals('a payout'),
    refundApprovalAbove: approvals('a refund'),
    proposedApprovalsAbove: Type.Array(
      object({
        kind: withMeanings(
          Type.Enum(['payout', 'refund']),
          'Kind of transaction that the limit applies to.',
          {
            payout: 'payouts',
            refund: 'refunds',
          },
        ),
        currency: withDescription(Type.String({ examples: ['SLE'] }), 'Currency of the limit.'),
        value: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'Proposed limit in minor units; null if no approval would be required.',
          examples: [200_000],
        }),
        proposedBy: withDescription(idOf(userIds), 'Member who made the proposal.'),
        time: withDescription(timestamp, 'Time of the proposal.'),
      }),
      {
        description:
          'Proposed increases or removals of approval limits. Each takes effect when another member makes the same change within 7 days.',
      },
    ),
    refundsWhenShort: whenShort,
    returnsPaymentFee,
    receiptsBySms,
    fees: Type.Array(
      object({
        code: withMeanings(Type.Enum(feeCodes), 'Type of transaction.', {
          payment: 'each payment',
          payout: 'each payout',
          refund: 'each refund',
        }),
        rule: withDescription(
          Type.String({ examples: ['1%'] }),
          'Fee, as a percentage of the amount with a minimum for each currency.',
        ),
        isStandard: Type.Boolean({
          description: 'True if the standard rule applies because the Space has no rule of its own.',
        }),
      }),
      { description: 'Fees that the Space pays, set by the operator.' },
    ),
  },
  { title: 'Settings' },
)
