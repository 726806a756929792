import type { Static } from 'typebox'
import { caseIds } from '../../ledger/accounts/resources.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { noBody, resource } from '../../platform/http/commands/resource.ts'
import { type Call, command, type Route } from '../../platform/http/commands/route.ts'
import { object, optional, text } from '../../platform/http/shapes/shapes.ts'
import { readId, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { countsRoute } from '../../rails/instructions/transaction-counts.ts'
import { validateProviderFilter } from '../../rails/instructions/transaction-filters.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import type { Decision } from '../approvals/approvals.ts'
import { isAboveLimit } from '../approvals/store.ts'
import { paymentIds } from '../payments/resources.ts'
import { selectPayment } from '../payments/store.ts'
import { cancelRefund, decideRefund } from './decisions.ts'
import { maxNoteLength, refundLatePayment } from './late-payments.ts'
import { createRefunds, type NewRefund, validateRefund } from './new-refund.ts'
import { presentRefund, type RefundParts } from './refunds.ts'
import { refundIds } from './resources.ts'
import { newRefund, refund, refundFilters } from './shapes.ts'
import { refundStatuses } from './states.ts'
import { countRefunds, selectRefunds, shareRefunds } from './store.ts'

export function refundRoutes(parts: Platform & RefundParts & Providers): Route[] {
  const refunds = resource({
    url: '/v1/refunds',
    permission: 'refunds',
    idKind: refundIds,
    result: refund,
    find: shareRefunds(parts.db),
    present: (row, { scope }) => presentRefund(scope, row),
  })
  const decide =
    (approval: Decision['approval']) =>
    (tx: Tx, { scope, id, userId, now }: Call) =>
      decideRefund(tx, parts, scope, id, { userId, approval }, now)
  return [
    refunds.createEach({
      summary: 'Create a refund',
      about: 'Returns all or part of a payment to the account that paid.',
      reasons: [
        'state_conflict',
        'fund_insufficient',
        'refund_exceeds_payment',
        'refund_limit_reached',
        'refund_window_closed',
        'refund_unsupported',
      ],
      proposedWith: 'refunds:propose',
      body: newRefund,
      example: {
        paymentId: 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
        amount: { currency: 'SLE', value: 500 },
        reason: 'requested_by_customer',
      },
      rules: [
        { about: ['paymentId'], says: '`paymentId` must be the ID of a completed payment in the Space.' },
        { about: ['amount.currency'], says: '`amount` must be in the currency of the payment.' },
        { about: ['amount'], says: 'If the payer bears the fee, `amount` must be more than the fee.' },
      ],
      validate: (db, { scope, body: { paymentId, amount } }, issues) =>
        validateRefund(db, { scope, paymentId, amount }, issues),
      needsStepUpFor: (db, { scope, body }) => exceedsLimit(db, scope, body),
      writeEach: (tx, calls) => createRefunds(tx, parts, calls.map(requestOf)),
    }),
    refunds.list({
      summary: 'List refunds',
      query: refundFilters,
      list: async ({ scope, query }, page) => {
        validateProviderFilter(parts.catalogue, query)
        const { paymentId: shown } = query
        const paymentId = shown === undefined ? undefined : await paymentInQuery(parts.db, scope, shown)
        return selectRefunds(parts.db, scope, { ...query, paymentId }, page)
      },
    }),
    countsRoute(parts, {
      resource: 'refunds',
      title: 'RefundCounts',
      statuses: refundStatuses,
      count: countRefunds,
    }),
    refunds.read({ summary: 'Retrieve a refund' }),
    refunds.action('approve', {
      ...noBody,
      summary: 'Approve a refund',
      about: 'Another user must have created it.',
      reasons: ['state_conflict', 'refund_exceeds_payment'],
      permission: 'refunds:approve',
      needsStepUp: true,
      write: decide('approved'),
    }),
    refunds.action('reject', {
      ...noBody,
      summary: 'Reject a refund',
      about: 'Another user must have created it.',
      reasons: ['state_conflict'],
      permission: 'refunds:approve',
      write: decide('rejected'),
    }),
    command({
      url: '/v1/cases/:id/return',
      summary: 'Refund the money of a case',
      about: 'For money that arrived after its payment had failed.',
      reasons: [
        'state_conflict',
        'fund_insufficient',
        'refund_exceeds_payment',
        'refund_limit_reached',
        'refund_window_closed',
        'refund_unsupported',
      ],
      permission: 'refunds:write',
      needsStepUp: true,
      idKind: caseIds,
      body: object({
        note: optional(text(1, maxNoteLength, { description: 'Reason, which is kept in the audit log.' })),
      }),
      result: refund,
      example: { note: 'The payer paid again' },
      write: async (tx, { scope, id, userId, body: { note } }) => {
        const decider = { by: showId(userIds, userId), reason: note ?? 'Refunded to the payer.' }
        return presentRefund(scope, await refundLatePayment(tx, parts, { id, of: scope, userId }, decider))
      },
    }),
    refunds.action('cancel', {
      ...noBody,
      summary: 'Cancel a refund',
      about: 'Only while it has not been sent.',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => cancelRefund(tx, scope, id, now),
    }),
  ]
}

/**
 * Returns whether a single refund exceeds the amount above which the Space requires approval. A refund without
 * an amount is a full refund.
 */
async function exceedsLimit(db: Reader, scope: Scope, { paymentId, amount }: Static<typeof newRefund>) {
  const id = readId(paymentIds, paymentId)
  const payment = id && amount === undefined ? await selectPayment(db, scope, id) : undefined
  const currency = amount?.currency ?? payment?.currency ?? null
  return isAboveLimit(db, scope, 'refund', { currency, value: amount?.value ?? payment?.amount ?? null })
}

async function paymentInQuery(db: Reader, scope: Scope, shown: string): Promise<string> {
  const id = readId(paymentIds, shown)
  if (!id || !(await selectPayment(db, scope, id)))
    throw argumentRefusal('paymentId', 'does not name a payment in this Space')
  return id
}

const requestOf = ({
  scope,
  body,
  now,
  may,
  userId,
  idempotencyKey,
}: Call<unknown, Static<typeof newRefund>>): Scoped<NewRefund> => ({
  ...body,
  isProposal: !may('refunds:write'),
  scope,
  userId,
  purpose: `refund ${idempotencyKey}`,
  at: now,
})
