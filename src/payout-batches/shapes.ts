import Type, { type Static } from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { batchIds, payoutIds } from '../payouts/resources.ts'
import { approval, newPayout, shownDestination } from '../payouts/shapes.ts'
import { personal } from '../platform/http/personal.ts'
import {
  createTime,
  described,
  explained,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  opaqueText,
  optional,
  ownId,
  referenceTo,
  shownMetadata,
  updateTime,
} from '../platform/http/shapes.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { batchStatuses } from './store.ts'

export const maxRows = 1_000 // limit: rows of a payout batch
const maxCsvLength = 240_000 // limit: the text of a payout batch’s CSV; the body is bounded, too

export const newRow = object({
  amount: described(money, 'What the payee gets; the fee comes on top.'),
  destination: described(newPayout.properties.destination, 'The payee, as a single payout takes it.'),
  reference: optional(
    nameText(1, 64, { description: 'The merchant’s own word for it: an invoice, a month.' }),
  ),
  name: optional(
    personal(nameText(1, 100, { description: 'The payee’s name, as the merchant has it.' }), 'name'),
  ),
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
    personal(
      opaqueText(1, maxCsvLength, {
        description:
          'The same as a file: a line of headings, `amount`, `currency`, `type`, `provider`, `account` and, where there are such columns, `name` and `reference`, in any order; then a line for each payout. Between cells stands `,` or `;`. An amount is decimal, `1500.00`, with no more decimals than its currency has.',
        examples: ['amount,currency,type,provider,account,name\n15.00,SLE,momo,m17,+23276123456,Fatu Kamara'],
      }),
      'text',
    ),
  ),
}

const source = described(
  optional(
    object({ financialAccountId: described(optional(referenceTo(accountIds)), 'The account that pays.') }),
  ),
  'Where the money comes from; left out: the Space’s main account of each currency.',
)

export const newBatch = object({
  name: described(nameText(1, 100), 'What the batch is for, such as a month’s salaries.'),
  source,
  ...rowsOrCsv,
})
export type NewBatch = Static<typeof newBatch>

export const batchToCheck = object({ source, ...rowsOrCsv })
export type BatchToCheck = Static<typeof batchToCheck>

const count = Type.Integer({ minimum: 0 })

export const batch = object(
  {
    id: ownId(batchIds),
    status: explained(Type.Enum(batchStatuses), 'What has become of it.', {
      pending: 'another member has to approve it; nothing is held',
      processing: 'all of its payouts are there, and go their own ways',
      completed: 'all of them have ended',
      rejected: 'not approved: no payout of it was created',
      cancelled: 'you cancelled it: no payout of it was created',
    }),
    name: described(Type.String(), 'What the batch is for.'),
    source: described(
      object({
        financialAccountId: described(
          nullableText,
          'The account that pays; null: the Space’s main account of each currency.',
        ),
      }),
      'Where the money comes from.',
    ),
    counts: described(
      object({
        rows: described(count, 'Rows of the batch.'),
        pending: described(count, 'Payouts that wait.'),
        processing: described(count, 'Payouts that are at their provider.'),
        completed: described(count, 'Payouts that have arrived.'),
        failed: described(count, 'Payouts that have not.'),
      }),
      'How many there are.',
    ),
    totals: described(
      Type.Array(
        object({
          amount: described(shownMoney, 'Of all rows.'),
          completed: described(shownMoney, 'Of payouts that have arrived.'),
          failed: described(shownMoney, 'Of payouts that have not.'),
        }),
      ),
      'Sums, one for each currency.',
    ),
    approval,
    createUserId: described(idOf(userIds), 'The user who created it.'),
    createTime,
    updateTime,
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
    amount: described(shownMoney, 'What the payee gets.'),
    destination: described(object(shownDestination), 'The payee.'),
    name: described(
      personal(nullableText, 'name'),
      'What the merchant calls the payee; null where nothing was sent.',
    ),
    reference: described(nullableText, 'The merchant’s own word for it; null where nothing was sent.'),
    payout: Type.Unsafe<{ id: string; status: string } | null>({
      type: ['object', 'null'],
      description: 'What it has become; null before the batch is approved.',
      properties: {
        id: described(idOf(payoutIds), 'The id of the payout.'),
        status: { type: 'string', description: 'What has become of the payout.' },
      },
    }),
    metadata: shownMetadata,
  },
  { title: 'PayoutBatchRow' },
)

export const warningCodes = [
  'duplicate_in_file',
  'duplicate_recent',
  'first_time_payee',
  'network_mismatch',
] as const

const fault = object({
  param: described(Type.String(), 'The field of the row, or the column of the file.', 'amount.value'),
  errors: described(Type.Array(Type.String()), 'All that is wrong with it, each as a sentence.', [
    'must be at least 1',
  ]),
})

export const checked = object(
  {
    ok: Type.Boolean({ description: 'Whether such a batch would be taken, but for what the account has.' }),
    approvalRequired: Type.Boolean({ description: 'Whether another user would have to approve it.' }),
    totals: described(
      Type.Array(
        object({
          rows: described(count, 'Rows of this currency.'),
          amount: described(shownMoney, 'What payees get.'),
          fees: described(shownMoney, 'What all of it costs on top.'),
          availableAfter: optional(
            object(shownMoney.properties, {
              description:
                'What its account would have available afterwards: less than zero, and there is too little money. Needs balances:read.',
            }),
          ),
        }),
      ),
      'Sums, one for each currency.',
    ),
    rows: described(
      Type.Array(
        object({
          number: Type.Integer({
            minimum: 1,
            description: 'Which row it is, from 1; headings do not count.',
          }),
          ok: described(Type.Boolean(), 'Whether nothing is wrong with the row.'),
          faults: Type.Array(fault, {
            description:
              'Everything that is wrong with it: `param` is a field of the row, or a column of the file.',
          }),
          warnings: described(
            Type.Array(
              object({
                code: explained(Type.Enum(warningCodes), 'What is odd.', {
                  duplicate_in_file: 'an earlier row pays the same amount to the same payee',
                  duplicate_recent: 'the same was paid to this payee within 7 days, and has not failed',
                  first_time_payee: 'no payout of yours to this payee was ever completed',
                  network_mismatch: 'by its first digits the number is another network’s',
                }),
                message: described(
                  Type.String(),
                  'The same as a sentence for people.',
                  'Nothing was ever paid to this payee.',
                ),
              }),
            ),
            'What is odd about the row, and no fault.',
          ),
        }),
      ),
      'Each row, in order.',
    ),
  },
  { title: 'CheckedPayoutBatch' },
)

export const batchFilters = object({
  status: described(optional(Type.Enum(batchStatuses)), 'Only batches of this status.'),
})
