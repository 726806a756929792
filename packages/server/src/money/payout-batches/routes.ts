import { must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import { noBody, resource } from '../../platform/http/commands/resource.ts'
import { type Call, command, list, type Route } from '../../platform/http/commands/route.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Decision } from '../approvals/approvals.ts'
import type { PayoutParts } from '../payouts/payouts.ts'
import { batchIds } from '../payouts/resources.ts'
import { cancelBatch, decideBatch } from './decisions.ts'
import { checkBatch } from './dry-run.ts'
import { createBatch } from './new-batch.ts'
import { type BatchWithTotals, presentBatch, presentRow, withPayoutTotals } from './presenting.ts'
import { checkAllRows } from './rows.ts'
import { batch, batchFilters, batchRow, batchToCheck, checked, newBatch } from './shapes.ts'
import { type Batch, selectBatches, selectRowPage, shareBatches } from './store.ts'

const url = '/v1/payout-batches'

const rowsExample = [
  {
    amount: { currency: 'SLE', value: 1500 },
    destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23276123456' },
    name: 'Fatu Kamara',
    reference: 'salary 2026-11',
  },
]

const rules = [
  { about: ['rows', 'csv'], says: 'Exactly one of `rows` and `csv` is required.' },
  {
    about: ['source.financialAccountId'],
    says: '`source.financialAccountId` must be the ID of an account in the Space.',
  },
  {
    about: [
      'rows[].destination.providerId',
      'rows[].destination.phoneNumber',
      'rows[].destination.accountNumber',
      'rows[].destination.walletId',
      'rows[].amount.currency',
    ],
    says: 'Each row must be a valid payout. Errors name the field, as in `rows[3].amount.value`, or the column, as in `csv[3].amount`; rows are counted from 0.',
  },
]

export function batchRoutes(parts: PayoutParts): Route[] {
  const { db } = parts
  const findBatch = shareBatches(db)
  const tallied = async (scope: Scope, row: Batch | undefined): Promise<BatchWithTotals | undefined> =>
    row && (await withPayoutTotals(db, scope, [row]))[0]
  const batches = resource({
    url,
    permission: 'payouts',
    idKind: batchIds,
    result: batch,
    find: async (scope, id) => tallied(scope, await findBatch(scope, id)),
    present: (row: BatchWithTotals, { scope }) => presentBatch(scope, row),
  })
  const decide =
    (approval: Decision['approval']) =>
    async (tx: Tx, { scope, id, userId, now }: Call) =>
      tallyOne(tx, scope, await decideBatch(tx, parts, scope, id, { userId, approval }, now))
  return [
    command({
      url: `${url}/check`,
      summary: 'Check a payout batch',
      about: 'Validates the rows without creating anything.',
      permission: 'payouts:write',
      body: batchToCheck,
      result: checked,
      example: { rows: rowsExample },
      rules,
      validate: (reader, { scope, body }, issues) =>
        checkAllRows(reader, parts, scope, body, issues).then(() => {}),
      write: (tx, call) => checkBatch(tx, parts, call),
    }),
    batches.create({
      summary: 'Create a payout batch',
      about: 'A batch consists of payouts that are approved together.',
      reasons: ['fund_insufficient'],
      body: newBatch,
      example: { name: 'November salaries', rows: rowsExample },
      rules,
      validate: (reader, { scope, body }, issues) =>
        checkAllRows(reader, parts, scope, body, issues).then(() => {}),
      write: async (tx, { scope, body, userId, idempotencyKey, now: at }) =>
        tallyOne(tx, scope, await createBatch(tx, parts, scope, body, { userId, idempotencyKey, at })),
    }),
    batches.list({
      summary: 'List payout batches',
      query: batchFilters,
      list: async ({ scope, query }, page) => {
        const { rows, stoppedAt } = await selectBatches(db, scope, query, page)
        return { rows: await withPayoutTotals(db, scope, rows), stoppedAt }
      },
    }),
    batches.read({ summary: 'Retrieve a payout batch' }),
    list({
      url: `${url}/:id/rows`,
      summary: 'List the rows of a payout batch',
      about: 'In the order of the batch.',
      permission: 'payouts:read',
      idKind: batchIds,
      result: batchRow,
      list: async ({ scope, id }, page) => {
        if (!(await findBatch(scope, id))) throw new Refusal('not_found')
        return selectRowPage(db, scope, id, page)
      },
      present: presentRow,
      position: ({ number }) => String(number),
    }),
    batches.remove({
      summary: 'Cancel a payout batch',
      about: 'Only while it is awaiting approval.',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => cancelBatch(tx, scope, id, now),
    }),
    batches.action('approve', {
      ...noBody,
      summary: 'Approve a payout batch',
      about: 'Another user must have created it. Its payouts are then created.',
      reasons: ['state_conflict', 'fund_insufficient'],
      permission: 'payouts:approve',
      needsStepUp: true,
      write: decide('approved'),
    }),
    batches.action('reject', {
      ...noBody,
      summary: 'Reject a payout batch',
      about: 'Another user must have created it.',
      reasons: ['state_conflict'],
      permission: 'payouts:approve',
      write: decide('rejected'),
    }),
  ]
}

async function tallyOne(tx: Tx, scope: Scope, row: Batch): Promise<BatchWithTotals> {
  const [tallied] = await withPayoutTotals(tx, scope, [row])
  return must(tallied, 'batch')
}
