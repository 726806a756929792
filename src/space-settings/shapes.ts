import Type from 'typebox'
import { maxAmount } from '../countries/money.ts'
import { phoneNumber } from '../countries/shapes.ts'
import { feeCodes } from '../payments/fee-rules.ts'
import {
  clearable,
  idOf,
  nameText,
  nullableText,
  object,
  optional,
  text,
  timestamp,
  webAddress,
} from '../platform/http/shapes.ts'
import { spaceIds } from '../spaces/resources.ts'
import { isLogo, maxLogoText } from './logos.ts'

const above = object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
    value: Type.Integer({ minimum: 0, maximum: maxAmount, examples: [100_000] }),
  },
  { title: 'ApprovalAbove' },
)
const approvals = (what: string, more: object = {}) =>
  Type.Array(above, {
    description: `Above so many minor units another member has to approve ${what}, by currency; in a currency that is not here nobody has to.`,
    ...more,
  })
const replaced = { maxItems: 50 } // limit: currencies with a limit of their own
const whenShort = Type.Enum(['refuse', 'queue'], {
  description: 'What becomes of a refund that there is too little money for.',
})
const returnsPaymentFee = Type.Boolean({
  description: 'Whether the fee of a payment goes back to the Space with its refunds.',
})
const receiptsBySms = Type.Boolean({
  description:
    'Whether payers who pay a session with mobile money get the link of their receipt as a text message, where the operator sends any.',
})

const logo = Type.Refine(
  Type.String({
    maxLength: maxLogoText,
    pattern: '^data:image/png;base64,[A-Za-z0-9+/]+={0,2}$',
    description: 'A PNG of at most 64 KiB and 1024 × 1024 pixels, as a `data:` address.',
    examples: [
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ],
  }),
  (value) => isLogo(value),
  () => 'must be a PNG of at most 64 KiB and 1024 × 1024 pixels',
)

const brandChange = object({
  name: clearable(nameText(1, 100, { description: 'As payers read it, in place of the Space’s own.' })),
  color: clearable(Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', examples: ['#0f6b4f'] })),
  logo: clearable(logo),
  supportEmail: clearable(text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['help@shop.example'] })),
  supportPhone: clearable(phoneNumber),
  termsUrl: clearable(webAddress()),
})

export const settingsChange = object(
  {
    brand: optional(brandChange),
    payoutApprovalAbove: optional(approvals('a payout', replaced)),
    refundApprovalAbove: optional(approvals('a refund', replaced)),
    refundsWhenShort: optional(whenShort),
    returnsPaymentFee: optional(returnsPaymentFee),
    receiptsBySms: optional(receiptsBySms),
    reason: optional(nameText(1, 500, { description: 'Why, for the audit entry.' })),
  },
  { minProperties: 1, title: 'SettingsChange' },
)

export const settings = object(
  {
    spaceId: idOf(spaceIds),
    name: Type.String({ examples: ['Country Cloth Shop'] }),
    country: Type.String({ examples: ['SL'] }),
    timeZone: Type.String({ description: 'Where its days and months begin.', examples: ['Africa/Freetown'] }),
    createTime: timestamp,
    brand: object({
      name: nullableText,
      color: nullableText,
      supportEmail: nullableText,
      supportPhone: nullableText,
      termsUrl: nullableText,
    }),
    logoUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Where the logo of the brand is; another one has another address.',
    }),
    payoutApprovalAbove: approvals('a payout'),
    refundApprovalAbove: approvals('a refund'),
    refundsWhenShort: whenShort,
    returnsPaymentFee,
    receiptsBySms,
    fees: Type.Array(
      object({
        code: Type.Enum(feeCodes),
        rule: Type.String({ examples: ['1%'] }),
        isStandard: Type.Boolean({ description: 'The Space has no rule of its own.' }),
      }),
      { description: 'What the Space pays for each; the operator sets it.' },
    ),
  },
  { title: 'Settings' },
)
