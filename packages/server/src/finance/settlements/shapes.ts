import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import type { Rule } from '../../platform/http/commands/route.ts'
import {
  createTime,
  flag,
  nameText,
  object,
  optional,
  optionalText,
  ownId,
  shownText,
  text,
  textOrNull,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { settlementIds } from './resources.ts'
import { settlementStatuses } from './states.ts'
import { settlementKinds } from './store.ts'

const kind = withMeanings(Type.Enum(settlementKinds), '', {
  payout_to_bank: 'the provider paid the collected money to the bank',
  float_top_up: 'money was paid in from the bank to fund payouts',
})
const direction = withMeanings(Type.Enum(['collection', 'disbursement'] as const), '', {
  collection: 'incoming money',
  disbursement: 'outgoing money',
})
const providerId = text(1, 64, { examples: ['m17'] })

export const settlement = object(
  {
    id: ownId(settlementIds),
    status: withMeanings(Type.Enum(settlementStatuses), 'Settlement status.', {
      booked: 'in effect',
      reversed: 'undone by a second posting',
    }),
    kind: withDescription(kind, 'Type of settlement.'),
    providerId: shownText('Provider that sent or received the money.', 'm17'),
    direction: withDescription(direction, 'Clearing account.'),
    amount: withDescription(shownMoney, 'Amount moved between provider and bank.'),
    bankReference: shownText('Reference on the bank statement.', 'FT26325-0042'),
    valueDate: withDescription(
      Type.String({ format: 'date', examples: ['2026-11-20'] }),
      'Value date on the bank statement.',
    ),
    note: textOrNull('A note; null if there is none.'),
    isAdvance: flag('True if the provider was allowed to pay more than it owed.'),
    createdBy: Type.String({
      description: 'ID of a user, or the name or email address of an operator.',
      examples: ['usr-01kaj3v5w8e4r9tbn2m6c7d0xz'],
    }),
    financialTransactionReference: withDescription(
      Type.String(),
      'Reference of the two ledger lines.',
      '20261121-101500123-7k2m9x',
    ),
    reversal: withDescription(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: {
          by: {
            type: 'string',
            description: 'ID of a user, or the name or email address of an operator.',
          },
          reason: { type: 'string', description: 'Reason for the reversal.' },
          financialTransactionReference: {
            type: 'string',
            description: 'Reference of the two reversing ledger lines.',
          },
          createTime: {
            type: 'string',
            format: 'date-time',
            description: 'When the settlement was reversed.',
          },
        },
      }),
      'The reversal; null if there is none.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
  },
  { title: 'Settlement' },
)

const bankReference = nameText(1, 100, {
  description: 'Reference on the bank statement, such as `FT26325-0042`.',
})

export const bankReferenceFilter = optionalText(
  100,
  'Only settlements with this bank reference.',
  'FT26325-0042',
)

const noteText = nameText(0, 500)

export const newSettlement = object({
  kind: withDescription(kind, 'Type of settlement.'),
  providerId: withDescription(providerId, 'Provider that sent or received the money.'),
  direction: withDescription(optional(direction), 'Clearing account. The default depends on `kind`.'),
  amount: withDescription(money, 'Amount moved between provider and bank.'),
  bankReference,
  valueDate: Type.String({
    format: 'date',
    description: 'Value date on the bank statement, no later than tomorrow.',
    examples: ['2026-11-20'],
  }),
  note: withDescription(optional(noteText), 'A note for your team.'),
  isAdvance: optional(
    Type.Boolean({ description: 'Allows the provider to pay more than it owes.', default: false }),
  ),
})

export const settlementExample = {
  kind: 'float_top_up',
  providerId: 'm17',
  amount: { currency: 'SLE', value: 1500 },
  bankReference: 'FT26325-0042',
  valueDate: '2026-11-20',
}

/** The rules that `validateSettlement` applies. */
export const settlementRules: Rule[] = [
  { about: ['providerId'], says: '`providerId` must name a provider in the catalogue.' },
  { about: ['amount.currency'], says: '`amount.currency` must be a currency that the provider accepts.' },
  {
    about: ['direction'],
    says: '`direction` is the direction of the clearing account. It defaults to `collection` for `payout_to_bank` and is always `disbursement` for `float_top_up`.',
  },
  { about: ['valueDate'], says: '`valueDate` must be no later than tomorrow.' },
]
