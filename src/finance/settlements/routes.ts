import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import {
  createTime,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
  text,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { settlementIds } from './resources.ts'
import { bookSettlement, presentSettlement, reverseSettlement, validateSettlement } from './settlements.ts'
import { selectSettlements, settlementKinds, settlementStatuses, shareSettlements } from './store.ts'

const kind = withMeanings(Type.Enum(settlementKinds), '', {
  payout_to_bank: 'the provider paid the collected money to the bank',
  float_top_up: 'money was paid in from the bank to fund payouts',
})
const direction = withMeanings(Type.Enum(['collection', 'disbursement'] as const), '', {
  collection: 'incoming money',
  disbursement: 'outgoing money',
})
const providerId = text(1, 64, { examples: ['m17'] })

const settlement = object(
  {
    id: ownId(settlementIds),
    status: withMeanings(Type.Enum(settlementStatuses), 'Settlement status.', {
      booked: 'in effect',
      reversed: 'undone by a second posting',
    }),
    kind: withDescription(kind, 'Type of settlement.'),
    providerId: withDescription(
      Type.String({ examples: ['m17'] }),
      'Provider that sent or received the money.',
    ),
    direction: withDescription(direction, 'Clearing account.'),
    amount: withDescription(shownMoney, 'Amount moved between provider and bank.'),
    bankReference: withDescription(
      Type.String({ examples: ['FT26325-0042'] }),
      'Reference on the bank statement.',
    ),
    valueDate: withDescription(
      Type.String({ format: 'date', examples: ['2026-11-20'] }),
      'Value date on the bank statement.',
    ),
    note: withDescription(nullableText, 'A note; null if there is none.'),
    isAdvance: withDescription(Type.Boolean(), 'True if the provider was allowed to pay more than it owed.'),
    createdBy: Type.String({
      description: 'ID of a user, or the name given by the operator who ran the command.',
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
            description: 'ID of a user, or the name given by the operator who ran the command.',
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

const noteText = nameText(0, 500)

const newSettlement = object({
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

export function settlementRoutes({ db, catalogue }: Platform & { catalogue: Catalogue }): Route[] {
  const settlements = resource({
    url: '/v1/settlements',
    permission: 'settlements',
    idKind: settlementIds,
    result: settlement,
    find: shareSettlements(db),
    present: (row, { scope }) => presentSettlement(scope, row),
  })
  return [
    settlements.create({
      summary: 'Book a settlement between a provider and a bank',
      reasons: ['reference_in_use', 'state_conflict'],
      body: newSettlement,
      example: {
        kind: 'float_top_up',
        providerId: 'm17',
        amount: { currency: 'SLE', value: 1500 },
        bankReference: 'FT26325-0042',
        valueDate: '2026-11-20',
      },
      rules: [
        { about: ['providerId'], says: '`providerId` must name a provider in the catalogue.' },
        {
          about: ['amount.currency'],
          says: '`amount.currency` must be a currency that the provider accepts.',
        },
        {
          about: ['direction'],
          says: '`direction` is the direction of the clearing account. It defaults to `collection` for `payout_to_bank` and is always `disbursement` for `float_top_up`.',
        },
        { about: ['valueDate'], says: '`valueDate` must be no later than tomorrow.' },
      ],
      validate: (_db, { body, now }, issues) => validateSettlement(catalogue, body, now, issues),
      write: (tx, { scope, body, userId, now }) =>
        bookSettlement(tx, catalogue, scope, body, showId(userIds, userId), now),
    }),
    settlements.list({
      summary: 'List settlements',
      query: object({
        status: withDescription(
          optional(Type.Enum(settlementStatuses)),
          'Only settlements with this status.',
        ),
        bankReference: withDescription(
          optional(text(0, 100)),
          'Only settlements with this bank reference.',
          'FT26325-0042',
        ),
      }),
      list: ({ scope, query }, page) => selectSettlements(db, scope, query, page),
    }),
    settlements.read({ summary: 'Retrieve a settlement' }),
    settlements.action('reverse', {
      summary: 'Reverse a settlement that was booked by mistake',
      reasons: ['state_conflict'],
      body: object({ reason: withDescription(nameText(1, 500), 'Reason for the reversal, for the record.') }),
      example: { reason: 'Booked for the wrong provider' },
      write: (tx, { scope, id, body: { reason }, userId, now }) =>
        reverseSettlement(tx, scope, id, { by: showId(userIds, userId), reason }, now),
    }),
  ]
}
