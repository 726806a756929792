import type { Static } from 'typebox'
import { accountInQuery } from '../../ledger/accounts/accounts.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { noBody, resource } from '../../platform/http/commands/resource.ts'
import type { Call, Page, Route } from '../../platform/http/commands/route.ts'
import { readId } from '../../platform/ids.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { countsRoute } from '../../rails/instructions/transaction-counts.ts'
import { validateProviderFilter } from '../../rails/instructions/transaction-filters.ts'
import { transactionStatuses } from '../../rails/instructions/transaction-rows.ts'
import type { Decision } from '../approvals/approvals.ts'
import { createPayouts, type NewPayout, validatePayout } from './new-payout.ts'
import { cancelPayout, changePayout, decidePayout, type PayoutParts, presentPayout } from './payouts.ts'
import { batchIds, payoutIds } from './resources.ts'
import { newPayout, payout, payoutChange, payoutFilters } from './shapes.ts'
import { countPayouts, selectPayouts, sharePayouts } from './store.ts'

/** Returns whether a batch exists. Batches belong to a later slice, which supplies this look-up. */
export type PayoutRouteParts = PayoutParts & {
  hasBatch(db: Reader, scope: Scope, id: string): Promise<boolean>
}

export function payoutRoutes(parts: PayoutRouteParts): Route[] {
  const payouts = resource({
    url: '/v1/payouts',
    permission: 'payouts',
    idKind: payoutIds,
    result: payout,
    find: sharePayouts(parts.db),
    present: (row, { scope }) => presentPayout(scope, row),
  })
  const decide =
    (approval: Decision['approval']) =>
    (tx: Tx, { scope, id, userId, now }: Call) =>
      decidePayout(tx, parts, scope, id, { userId, approval }, now)
  return [
    payouts.createEach({
      summary: 'Create a payout',
      about: 'Sends money to a phone, a bank account or a wallet.',
      reasons: ['fund_insufficient'],
      body: newPayout,
      example: {
        amount: { currency: 'SLE', value: 1500 },
        destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23276123456' },
      },
      rules: [
        {
          about: ['destination.providerId', 'amount.currency'],
          says: 'The provider must be of the given type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`), support payouts, and accept the currency of `amount`.',
        },
        {
          about: ['destination.phoneNumber', 'destination.accountNumber', 'destination.walletId'],
          says: 'The payee’s account must be valid at the provider: a phone number in the provider’s country, a bank account number of 6 to 20 digits and letters, or a wallet ID of 3 to 64 characters. Card numbers are never accepted.',
        },
        {
          about: ['source.financialAccountId'],
          says: '`source.financialAccountId` must be the ID of an account in the Space in the currency of `amount`.',
        },
      ],
      validate: (db, { scope, body: { amount, destination, source } }, issues) =>
        validatePayout(
          db,
          parts,
          { scope, amount, destination, sourceAccount: source?.financialAccountId },
          issues,
        ),
      writeEach: (tx, calls) => createPayouts(tx, parts, calls.map(requestOf)),
    }),
    payouts.list({
      summary: 'List payouts',
      query: payoutFilters,
      list: (call, page) => listPayouts(parts, call, page),
    }),
    countsRoute(parts, {
      resource: 'payouts',
      title: 'PayoutCounts',
      statuses: transactionStatuses,
      count: countPayouts,
    }),
    payouts.read({ summary: 'Retrieve a payout' }),
    payouts.change({
      summary: 'Update a payout',
      body: payoutChange,
      example: { metadata: { invoice: '7' } },
      write: (tx, { scope, id, body, now }) => changePayout(tx, scope, id, body, now),
    }),
    payouts.remove({
      summary: 'Cancel a payout',
      about: 'Only while it has not been sent.',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => cancelPayout(tx, scope, id, now),
    }),
    payouts.action('approve', {
      ...noBody,
      summary: 'Approve a payout',
      about: 'Another user must have created it.',
      reasons: ['state_conflict'],
      permission: 'payouts:approve',
      needsStepUp: true,
      write: decide('approved'),
    }),
    payouts.action('reject', {
      ...noBody,
      summary: 'Reject a payout',
      about: 'Another user must have created it.',
      reasons: ['state_conflict'],
      permission: 'payouts:approve',
      write: decide('rejected'),
    }),
  ]
}

const requestOf = ({
  scope,
  body,
  now,
  userId,
  idempotencyKey,
}: Call<unknown, Static<typeof newPayout>>): Scoped<NewPayout> => ({
  scope,
  amount: body.amount,
  destination: body.destination,
  sourceAccount: body.source?.financialAccountId,
  metadata: body.metadata,
  userId,
  purpose: `payout ${idempotencyKey}`,
  at: now,
})

async function listPayouts(
  parts: PayoutRouteParts,
  { scope, query }: Call<Static<typeof payoutFilters>>,
  page: Page,
) {
  const {
    sourceFinancialAccountId: source,
    sourceTransactionReference: ledgerReference,
    destinationTransactionReference: railTransaction,
    batchId: batch,
    ...filter
  } = query
  const { db, catalogue } = parts
  validateProviderFilter(catalogue, filter)
  const accountId = source && (await accountInQuery(db, scope, 'sourceFinancialAccountId', source))
  const batchId = batch && (await batchInQuery(parts, scope, batch))
  return selectPayouts(db, scope, { ...filter, ledgerReference, railTransaction, accountId, batchId }, page)
}

async function batchInQuery(
  { db, hasBatch }: PayoutRouteParts,
  scope: Scope,
  shown: string,
): Promise<string> {
  const id = readId(batchIds, shown)
  if (!id || !(await hasBatch(db, scope, id)))
    throw argumentRefusal('batchId', 'does not name a batch in this Space')
  return id
}
