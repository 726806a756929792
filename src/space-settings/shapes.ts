import Type from 'typebox'
import { maxAmount } from '../countries/money.ts'
import { phoneNumber } from '../countries/shapes.ts'
import { feeCodes } from '../payments/fee-codes.ts'
import {
  clearable,
  createTime,
  described,
  explained,
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
} from '../platform/http/shapes.ts'
import { spaceIds, userIds } from '../spaces/resources.ts'
import { isLogo, maxLogoText } from './logos.ts'

const above = object(
  {
    currency: described(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
      'The currency, by its three letters of ISO 4217.',
    ),
    value: described(
      Type.Integer({ minimum: 0, maximum: maxAmount, examples: [100_000] }),
      'Amounts above this need another member; whole units of the smallest that the currency has.',
    ),
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
  description:
    'What becomes of a refund that there is too little money for. `refuse`: it is refused; `queue`: it waits for money, for 30 days.',
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
  color: described(
    clearable(webColor),
    'The colour of buttons and headings: `#` and 3 or 6 hexadecimal digits.',
  ),
  logo: clearable(logo),
  supportEmail: described(
    clearable(text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['help@shop.example'] })),
    'Where payers write to.',
  ),
  supportPhone: described(clearable(phoneNumber), 'Where payers call.'),
  termsUrl: described(clearable(webAddress()), 'The terms of the sale.'),
})

export const settingsChange = object(
  {
    brand: described(optional(brandChange), 'How the Space’s pages look to payers.'),
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
    spaceId: described(idOf(spaceIds), 'The Space that these settings are of.'),
    name: described(Type.String({ examples: ['Country Cloth Shop'] }), 'What the Space is called.'),
    country: described(Type.String({ examples: ['SL'] }), 'Its two letters of ISO 3166-1.'),
    timeZone: Type.String({ description: 'Where its days and months begin.', examples: ['Africa/Freetown'] }),
    createTime,
    brand: described(
      object({
        name: described(nullableText, 'What payers read in place of the Space’s name.'),
        color: described(nullableText, 'The colour of buttons and headings.'),
        supportEmail: described(nullableText, 'Where payers write to.'),
        supportPhone: described(nullableText, 'Where payers call.'),
        termsUrl: described(nullableAddress, 'The terms of the sale.'),
      }),
      'How the Space’s pages look to payers; null in a field: nothing of its own.',
    ),
    logoUrl: described(nullableAddress, 'Where the logo of the brand is; another one has another address.'),
    payoutApprovalAbove: approvals('a payout'),
    refundApprovalAbove: approvals('a refund'),
    proposedApprovalsAbove: Type.Array(
      object({
        kind: explained(Type.Enum(['payout', 'refund']), 'What needs approval above it.', {
          payout: 'payouts',
          refund: 'refunds',
        }),
        currency: described(Type.String({ examples: ['SLE'] }), 'The currency of the limit.'),
        value: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'The limit that somebody wants; null: none, so that nobody has to approve.',
          examples: [200_000],
        }),
        proposedBy: described(idOf(userIds), 'The member who wants it.'),
        time: described(timestamp, 'When they wanted it.'),
      }),
      {
        description:
          'Limits that a member wants to raise or to remove. They count once another member changes the settings to the same, within 7 days.',
      },
    ),
    refundsWhenShort: whenShort,
    returnsPaymentFee,
    receiptsBySms,
    fees: Type.Array(
      object({
        code: explained(Type.Enum(feeCodes), 'What the fee is for.', {
          payment: 'each payment',
          payout: 'each payout',
          refund: 'each refund',
        }),
        rule: described(
          Type.String({ examples: ['1%'] }),
          'What it costs: parts of the amount, and a minimum per currency.',
        ),
        isStandard: Type.Boolean({ description: 'The Space has no rule of its own.' }),
      }),
      { description: 'What the Space pays for each; the operator sets it.' },
    ),
  },
  { title: 'Settings' },
)
