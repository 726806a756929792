import Type, { type Static } from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  createTime,
  flag,
  group,
  idOf,
  listOf,
  metadata,
  nameText,
  nullableText,
  object,
  opaqueText,
  optional,
  optionalEnum,
  optionalReferenceTo,
  ownId,
  shownMetadata,
  shownText,
  textOrNull,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { approval } from '../approvals/shapes.ts'
import { batchIds, payoutIds } from '../payouts/resources.ts'
import { newPayout, shownDestination } from '../payouts/shapes.ts'
import { batchStatuses } from './store.ts'

export const maxRows = 1_000 // limit: rows in a payout batch
const maxCsvLength = 240_000 // limit: length of the CSV text of a payout batch; the request body has a separate limit

export const newRow = object({
  amount: withDescription(money, 'Amount that the payee receives. The fee is charged in addition.'),
  destination: withDescription(
    newPayout.properties.destination,
    'The payee, described as in a single payout.',
  ),
  reference: optional(
    nameText(1, 64, { description: 'Your reference for the payout, such as an invoice number or a month.' }),
  ),
  name: optional(personal(nameText(1, 100, { description: 'Name of the payee.' }), 'name')),
  metadata: optional(metadata),
})
export type NewRow = Static<typeof newRow>

const rowsOrCsv = {
  rows: optional(
    Type.Array(newRow, {
      minItems: 1,
      maxItems: maxRows,
      description: `1 to ${maxRows} payouts. Exactly one of \`rows\` and \`csv\` is required.`,
    }),
  ),
  csv: optional(
    personal(
      opaqueText(1, maxCsvLength, {
        description:
          'The payouts as a CSV file: a heading line with `amount`, `currency`, `type`, `provider` (ID or name), `account` and optionally `name` and `reference`, in any order, followed by one line for each payout. Cells are separated by `,` or `;`. Amounts are decimal numbers, such as `1500.00`, with no more decimals than the currency has.',
        examples: ['amount,currency,type,provider,account,name\n15.00,SLE,momo,m17,+23276123456,Fatu Kamara'],
      }),
      'text',
    ),
  ),
}

const source = optional(
  group('Source of the money. By default, the Space’s main account in each currency.', {
    financialAccountId: optionalReferenceTo(accountIds, 'Account that pays.'),
  }),
)

export const newBatch = object({
  name: withDescription(nameText(1, 100), 'Name of the batch, such as the month of a payroll.'),
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
    status: withMeanings(Type.Enum(batchStatuses), 'Batch status.', {
      pending: 'awaiting approval by another member; no money is held',
      processing: 'all of its payouts have been created and proceed independently',
      completed: 'all of its payouts have ended',
      rejected: 'not approved; no payouts were created',
      cancelled: 'cancelled by you; no payouts were created',
    }),
    name: shownText('Name of the batch.'),
    source: group('Source of the money.', {
      financialAccountId: textOrNull(
        'Account that pays; null for the Space’s main account in each currency.',
      ),
    }),
    counts: group('Number of rows, and number of payouts by status.', {
      rows: withDescription(count, 'Number of rows.'),
      pending: withDescription(count, 'Number of pending payouts.'),
      processing: withDescription(count, 'Number of payouts being processed by their provider.'),
      completed: withDescription(count, 'Number of completed payouts.'),
      failed: withDescription(count, 'Number of failed payouts.'),
    }),
    totals: listOf('Totals, with one entry for each currency.', {
      amount: withDescription(shownMoney, 'Total amount of all rows.'),
      completed: withDescription(shownMoney, 'Total amount of completed payouts.'),
      failed: withDescription(shownMoney, 'Total amount of failed payouts.'),
    }),
    approval,
    createUserId: withDescription(idOf(userIds), 'User who created the batch.'),
    createTime,
    updateTime,
    ownershipGraph,
  },
  {
    title: 'PayoutBatch',
    description:
      '`counts` contains the number of rows and the number of payouts by status; before approval, there are no payouts. `totals` has one entry for each currency.',
  },
)

export const batchRow = object(
  {
    number: Type.Integer({ minimum: 1, description: 'Row number, counted from 1.' }),
    amount: withDescription(shownMoney, 'Amount that the payee receives.'),
    destination: withDescription(object(shownDestination), 'The payee.'),
    name: withDescription(personal(nullableText, 'name'), 'Name of the payee; null if none was given.'),
    reference: textOrNull('Your reference; null if none was given.'),
    payout: Type.Unsafe<{ id: string; status: string } | null>({
      type: ['object', 'null'],
      description: 'Payout for this row; null until the batch has been approved.',
      properties: {
        id: withDescription(idOf(payoutIds), 'ID of the payout.'),
        status: { type: 'string', description: 'Status of the payout.' },
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
  param: withDescription(Type.String(), 'Field of the row, or column of the file.', 'amount.value'),
  errors: withDescription(
    Type.Array(Type.String()),
    'All errors in the field, each worded to follow the field’s name.',
    ['must be at least 1'],
  ),
})

export const checked = object(
  {
    ok: flag('True if the batch would be accepted, provided that the account balance is sufficient.'),
    approvalRequired: flag('True if another user would have to approve the batch.'),
    totals: listOf('Totals, with one entry for each currency.', {
      rows: withDescription(count, 'Number of rows in this currency.'),
      amount: withDescription(shownMoney, 'Amount that the payees receive.'),
      fees: withDescription(shownMoney, 'Fees, charged in addition to the amount.'),
      availableAfter: optional(
        object(shownMoney.properties, {
          description:
            'Available balance after the batch; negative if the balance is insufficient. Requires `balances:read`.',
        }),
      ),
    }),
    rows: listOf('The rows, in order.', {
      number: Type.Integer({
        minimum: 1,
        description: 'Row number, counted from 1 without the headings.',
      }),
      ok: flag('True if the row is valid.'),
      faults: Type.Array(fault, {
        description: 'All errors in the row. `param` is a field of the row or a column of the file.',
      }),
      warnings: listOf('Warnings about a valid row.', {
        code: withMeanings(Type.Enum(warningCodes), 'Type of warning.', {
          duplicate_in_file: 'an earlier row pays the same amount to the same payee',
          duplicate_recent:
            'the same amount was paid to this payee within the last 7 days, and that payout has not failed',
          first_time_payee: 'none of your payouts to this payee has ever completed',
          network_mismatch: 'the first digits of the number belong to another network',
        }),
        message: withDescription(
          Type.String(),
          'The warning as a sentence.',
          'No payout to this payee has ever completed.',
        ),
      }),
    }),
  },
  { title: 'CheckedPayoutBatch' },
)

export const batchFilters = object({
  status: optionalEnum(batchStatuses, 'Only batches with this status.'),
})
