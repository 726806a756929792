import type { Static } from 'typebox'
import { accountInQuery } from '../ledger/accounts.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import type { RateLimiter } from '../platform/http/rate-limits.ts'
import {
  type Call,
  change,
  command,
  groupCommand,
  list,
  type Page,
  type Route,
  read,
  remove,
} from '../platform/http/route.ts'
import { object } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Decision, decidePayout } from './approval.ts'
import type { DestinationParts } from './destinations.ts'
import { createPayouts, judgePayout, type NewPayout } from './new-payouts.ts'
import { cancelPayout, changePayout, type PayoutParts, presentPayout } from './payouts.ts'
import { payoutIds } from './resources.ts'
import { newPayout, payout, payoutChange, payoutFilters } from './shapes.ts'
import { type PayoutFilter, selectPayouts, sharePayouts } from './store.ts'

export const payoutRoutes = (
  parts: Platform & DestinationParts & PayoutParts & { limiter: RateLimiter },
  find = sharePayouts(parts.db),
): Route[] => [
  groupCommand({
    url: '/v1/payouts',
    summary: 'Pay out to a bank account, a phone or a wallet',
    permission: 'payouts:write',
    body: newPayout,
    result: payout,
    example: {
      amount: { currency: 'SLE', value: 1500 },
      destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23276123456' },
    },
    rules: [
      {
        about: ['destination.providerId', 'amount.currency'],
        says: 'The provider is one of its type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`) that can be paid to here, in the currency of `amount`.',
      },
      {
        about: ['destination.phoneNumber', 'destination.accountNumber', 'destination.walletId'],
        says: 'The payee is one that the provider can have: a phone number of its country, 6 to 20 digits and letters of a bank, a wallet id of 3 to 64 characters; never the number of a card.',
      },
      {
        about: ['source.financialAccountId'],
        says: '`source.financialAccountId` names an account of the Space in the currency of `amount`.',
      },
    ],
    judge: (db, { scope, body: { amount, destination, source } }, faults) =>
      judgePayout(
        db,
        parts,
        { scope, amount, destination, sourceAccount: source?.financialAccountId },
        faults,
      ),
    writeEach: async (tx, calls) =>
      (await createPayouts(tx, parts, calls.map(requestOf))).map((outcome) =>
        'answer' in outcome ? { answer: presentPayout(outcome.answer.scope, outcome.answer) } : outcome,
      ),
  }),
  list({
    url: '/v1/payouts',
    summary: 'List payouts',
    permission: 'payouts:read',
    query: payoutFilters,
    result: payout,
    list: (call, page) => listPayouts(parts, call, page),
    position: ({ id }) => id,
    present: (row, { scope }) => presentPayout(scope, row),
  }),
  read({
    url: '/v1/payouts/:id',
    summary: 'Retrieve a payout',
    permission: 'payouts:read',
    idKind: payoutIds,
    result: payout,
    read: async ({ scope, id }) => {
      const found = await find(scope, id)
      if (!found) throw new Refusal('not_found')
      return presentPayout(scope, found)
    },
  }),
  change({
    url: '/v1/payouts/:id',
    summary: 'Change a payout',
    permission: 'payouts:write',
    idKind: payoutIds,
    body: payoutChange,
    result: payout,
    example: { metadata: { invoice: '7' } },
    write: async (tx, { scope, id, body, now }) =>
      presentPayout(scope, await changePayout(tx, scope, id, body, now)),
  }),
  remove({
    url: '/v1/payouts/:id',
    summary: 'Cancel a payout that was not sent yet',
    permission: 'payouts:write',
    idKind: payoutIds,
    write: (tx, { scope, id, now }) => cancelPayout(tx, scope, id, now),
  }),
  decision(parts, 'approve', 'approved', 'Approve a payout that another user created'),
  decision(parts, 'reject', 'rejected', 'Reject a payout that another user created'),
]

const decision = (parts: PayoutParts, verb: string, approval: Decision['approval'], summary: string): Route =>
  command({
    url: `/v1/payouts/:id/${verb}`,
    summary,
    permission: 'payouts:approve',
    idKind: payoutIds,
    body: object({}),
    result: payout,
    example: {},
    write: async (tx, { scope, id, userId, now }) =>
      presentPayout(scope, await decidePayout(tx, parts, scope, id, { userId, approval }, now)),
  })

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
  idempotencyKey,
  at: now,
})

async function listPayouts(
  { db }: Platform,
  { scope, query }: Call<Static<typeof payoutFilters>>,
  page: Page,
) {
  const { status, sourceFinancialAccountId: source } = query
  const { sourceTransactionReference, destinationTransactionReference } = query
  const filter: PayoutFilter = {
    ...(status && { status }),
    ...(source && { accountId: await accountInQuery(db, scope, 'sourceFinancialAccountId', source) }),
    ...(sourceTransactionReference && { ledgerReference: sourceTransactionReference }),
    ...(destinationTransactionReference && { railTransaction: destinationTransactionReference }),
  }
  return selectPayouts(db, scope, filter, page)
}
