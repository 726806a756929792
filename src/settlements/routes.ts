import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  createTime,
  described,
  explained,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
  text,
  updateTime,
} from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { settlementIds } from './resources.ts'
import { bookSettlement, judgeSettlement, presentSettlement, reverseSettlement } from './settlements.ts'
import { selectSettlements, settlementKinds, settlementStatuses, shareSettlements } from './store.ts'

const kind = explained(Type.Enum(settlementKinds), '', {
  payout_to_bank: 'the provider paid out what it had collected',
  float_top_up: 'the bank paid in what payouts are made from',
})
const direction = explained(Type.Enum(['collection', 'disbursement'] as const), '', {
  collection: 'of money that came in',
  disbursement: 'of money that goes out',
})
const providerId = text(1, 64, { examples: ['m17'] })

const settlement = object(
  {
    id: ownId(settlementIds),
    status: explained(Type.Enum(settlementStatuses), 'Whether it stands.', {
      booked: 'it does',
      reversed: 'it was taken back',
    }),
    kind: described(kind, 'What was settled.'),
    providerId: described(
      Type.String({ examples: ['m17'] }),
      'Who paid or was paid, by the id of the provider.',
    ),
    direction: described(direction, 'Whose clearing account it is.'),
    amount: described(shownMoney, 'What moved between provider and bank.'),
    bankReference: described(Type.String({ examples: ['FT26325-0042'] }), 'As the bank’s statement has it.'),
    valueDate: described(Type.String({ format: 'date', examples: ['2026-11-20'] }), 'The day by the bank.'),
    note: described(nullableText, 'A remark; null where there is none.'),
    isAdvance: described(Type.Boolean(), 'Whether the provider was allowed to pay more than it owed.'),
    createdBy: Type.String({
      description: 'The id of a user, or who ran the command, in their own words.',
      examples: ['usr-01kaj3v5w8e4r9tbn2m6c7d0xz'],
    }),
    financialTransactionReference: described(
      Type.String(),
      'Finds the two lines of the ledger.',
      '20261121-101500123-7k2m9x',
    ),
    reversal: described(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: {
          by: {
            type: 'string',
            description: 'The id of a user, or who ran the command, in their own words.',
          },
          reason: { type: 'string', description: 'Why, in their words.' },
          financialTransactionReference: {
            type: 'string',
            description: 'Finds the two lines that went the other way.',
          },
          createTime: { type: 'string', format: 'date-time', description: 'When it was taken back.' },
        },
      }),
      'Who took it back; null where nobody did.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
  },
  { title: 'Settlement' },
)

const bankReference = nameText(1, 100, {
  description: 'As the bank’s statement has it, like `FT26325-0042`.',
}) // limit: a bank’s reference

const noteText = nameText(0, 500) // limit: a note of a settlement

const newSettlement = object({
  kind: described(kind, 'What is settled.'),
  providerId: described(providerId, 'Who paid or was paid, by the id of the provider.'),
  direction: described(
    optional(direction),
    'Whose clearing account it is; left out: the one that the kind has.',
  ),
  amount: described(money, 'What moved between provider and bank.'),
  bankReference,
  valueDate: Type.String({
    format: 'date',
    description: 'The day by the bank, at the latest tomorrow.',
    examples: ['2026-11-20'],
  }),
  note: described(optional(noteText), 'A remark, for whoever reads it later.'),
  isAdvance: optional(
    Type.Boolean({ description: 'The provider may pay more than it owes.', default: false }),
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
      summary: 'Book money between a provider and a bank',
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
        { about: ['providerId'], says: '`providerId` names a provider of the catalogue.' },
        { about: ['amount.currency'], says: '`amount.currency` is one that the provider takes.' },
        {
          about: ['direction'],
          says: '`direction` is that of the clearing account: without it `collection` for `payout_to_bank`, and always `disbursement` for `float_top_up`.',
        },
        { about: ['valueDate'], says: '`valueDate` is at the latest tomorrow.' },
      ],
      judge: (_db, { body, now }, faults) => judgeSettlement(catalogue, body, now, faults),
      write: (tx, { scope, body, userId, now }) =>
        bookSettlement(tx, catalogue, scope, body, showId(userIds, userId), now),
    }),
    settlements.list({
      summary: 'List settlements',
      query: object({
        status: described(optional(Type.Enum(settlementStatuses)), 'Only settlements of this status.'),
        bankReference: described(
          optional(text(0, 100)),
          'Only settlements with this reference of the bank.',
          'FT26325-0042',
        ),
      }),
      list: ({ scope, query }, page) => selectSettlements(db, scope, query, page),
    }),
    settlements.read({ summary: 'Retrieve a settlement' }),
    settlements.action('reverse', {
      summary: 'Take back a settlement that was booked by mistake',
      reasons: ['state_conflict'],
      body: object({ reason: described(nameText(1, 500), 'Why it is taken back, for the record.') }),
      example: { reason: 'It was that of another provider' },
      write: (tx, { scope, id, body: { reason }, userId, now }) =>
        reverseSettlement(tx, scope, id, { by: showId(userIds, userId), reason }, now),
    }),
  ]
}
