import Type, { type Static } from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { batchIds, payoutIds } from '../payouts/resources.ts'
import { approval, newPayout, shownDestination } from '../payouts/shapes.ts'
import {
  freeObject,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { batchStatuses } from './store.ts'

export const maxRows = 1_000 // limit: rows of a payout batch
const maxCsvLength = 240_000 // limit: the text of a payout batch’s CSV; the body is bounded, too

export const newRow = object({
  amount: money,
  destination: newPayout.properties.destination,
  reference: optional(
    nameText(1, 64, { description: 'The merchant’s own word for it: an invoice, a month.' }),
  ),
  name: optional(nameText(1, 100, { description: 'The payee’s name, as the merchant has it.' })),
  metadata: optional(metadata),
})
export type NewRow = Static<typeof newRow>

const rowsOrCsv = {
  rows: optional(
    Type.Array(newRow, {
      minItems: 1,
      maxItems: maxRows,
      description: `1 to ${maxRows} payouts. Either these or \`csv\`.`,
    }),
  ),
  csv: optional(
    text(1, maxCsvLength, {
      description:
        'The same as a file: a line of headings, `amount`, `currency`, `type`, `provider`, `account` and, where there are such columns, `name` and `reference`, in any order; then a line for each payout. Between cells stands `,` or `;`. An amount is decimal, `1500.00`, with no more decimals than its currency has.',
      examples: ['amount,currency,type,provider,account,name\n15.00,SLE,momo,m17,+23276123456,Fatu Kamara'],
    }),
  ),
}

const source = optional(object({ financialAccountId: optional(referenceTo(accountIds)) }))

export const newBatch = object({ name: nameText(1, 100), source, ...rowsOrCsv })
export type NewBatch = Static<typeof newBatch>

export const batchToCheck = object({ source, ...rowsOrCsv })
export type BatchToCheck = Static<typeof batchToCheck>

const count = Type.Integer({ minimum: 0 })

export const batch = object(
  {
    id: idOf(batchIds),
    status: Type.Enum(batchStatuses),
    name: Type.String(),
    source: object({ financialAccountId: nullableText }),
    counts: object({ rows: count, pending: count, processing: count, completed: count, failed: count }),
    totals: Type.Array(object({ amount: shownMoney, completed: shownMoney, failed: shownMoney })),
    approval,
    createUserId: idOf(userIds),
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
  },
  {
    title: 'PayoutBatch',
    description:
      '`counts` are those of its payouts by their status, and of its rows, which have no payouts before it is approved; `totals` are in each of its currencies.',
  },
)

export const batchRow = object(
  {
    number: Type.Integer({ minimum: 1, description: 'Which row of the batch it is, from 1.' }),
    amount: shownMoney,
    destination: object(shownDestination),
    name: nullableText,
    reference: nullableText,
    payout: Type.Unsafe<{ id: string; status: string } | null>({
      type: ['object', 'null'],
      description: 'What it has become; null before the batch is approved.',
      properties: { id: idOf(payoutIds), status: { type: 'string' } },
    }),
    metadata: freeObject,
  },
  { title: 'PayoutBatchRow' },
)

export const warningCodes = [
  'duplicate_in_file',
  'duplicate_recent',
  'first_time_payee',
  'network_mismatch',
] as const

const fault = object({ param: Type.String(), errors: Type.Array(Type.String()) })

export const checked = object(
  {
    ok: Type.Boolean({ description: 'Whether such a batch would be taken, but for what the account has.' }),
    approvalRequired: Type.Boolean({ description: 'Whether another user would have to approve it.' }),
    totals: Type.Array(
      object({
        rows: count,
        amount: shownMoney,
        fees: shownMoney,
        availableAfter: optional(
          object(shownMoney.properties, {
            description:
              'What its account would have available afterwards: less than zero, and there is too little money. Needs balances:read.',
          }),
        ),
      }),
    ),
    rows: Type.Array(
      object({
        number: Type.Integer({ minimum: 1, description: 'Which row it is, from 1; headings do not count.' }),
        ok: Type.Boolean(),
        faults: Type.Array(fault, {
          description:
            'Everything that is wrong with it: `param` is a field of the row, or a column of the file.',
        }),
        warnings: Type.Array(object({ code: Type.Enum(warningCodes), message: Type.String() })),
      }),
    ),
  },
  { title: 'CheckedPayoutBatch' },
)

export const batchFilters = object({ status: optional(Type.Enum(batchStatuses)) })
