import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import { idOf, nameText, nullableText, object, optional, text, timestamp } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { settlementIds } from './resources.ts'
import { bookSettlement, judgeSettlement, presentSettlement, reverseSettlement } from './settlements.ts'
import { selectSettlements, settlementKinds, settlementStatuses, shareSettlements } from './store.ts'

const kind = Type.Enum(settlementKinds)
const direction = Type.Enum(['collection', 'disbursement'] as const)
const providerId = text(1, 64, { examples: ['m17'] })

const settlement = object(
  {
    id: idOf(settlementIds),
    status: Type.Enum(settlementStatuses),
    kind,
    providerId: Type.String({ examples: ['m17'] }),
    direction,
    amount: shownMoney,
    bankReference: Type.String({ examples: ['FT26325-0042'] }),
    valueDate: Type.String({ format: 'date', examples: ['2026-11-20'] }),
    note: nullableText,
    isAdvance: Type.Boolean(),
    createdBy: Type.String({ description: 'The id of a user, or who ran the command, in their own words.' }),
    financialTransactionReference: Type.String(),
    reversal: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      properties: {
        by: { type: 'string' },
        reason: { type: 'string' },
        financialTransactionReference: { type: 'string' },
        createTime: { type: 'string', format: 'date-time' },
      },
    }),
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
  },
  { title: 'Settlement' },
)

const bankReference = nameText(1, 100, {
  description: 'As the bank’s statement has it, like `FT26325-0042`.',
}) // limit: a bank’s reference

const newSettlement = object({
  kind,
  providerId,
  direction: optional(direction),
  amount: money,
  bankReference,
  valueDate: Type.String({
    format: 'date',
    description: 'The day by the bank, at the latest tomorrow.',
    examples: ['2026-11-20'],
  }),
  note: optional(nameText(0, 500)), // limit: a note of a settlement
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
        status: optional(Type.Enum(settlementStatuses)),
        bankReference: optional(text(0, 100)),
      }),
      list: ({ scope, query }, page) => selectSettlements(db, scope, query, page),
    }),
    settlements.read({ summary: 'Retrieve a settlement' }),
    settlements.action('reverse', {
      summary: 'Take back a settlement that was booked by mistake',
      reasons: ['state_conflict'],
      body: object({ reason: nameText(1, 500) }),
      example: { reason: 'It was that of another provider' },
      write: (tx, { scope, id, body: { reason }, userId, now }) =>
        reverseSettlement(tx, scope, id, { by: showId(userIds, userId), reason }, now),
    }),
  ]
}
