import type { Static } from 'typebox'
import { deliveryIds, eventIds } from '../../events/resources.ts'
import { selectLines } from '../../ledger/accounts/line-list-store.ts'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import { transactionIds } from '../../ledger/accounts/resources.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import type { Database } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import type { caseFile, NextStep } from './shapes.ts'
import {
  maxEntriesPerKind,
  selectDecisions,
  selectDeliveriesOf,
  selectEventsOf,
  selectInstruction,
  selectOtherAttempts,
  selectRefundsOf,
} from './store.ts'

type CaseFile = Static<typeof caseFile>
type Entry = CaseFile['entries'][number]

/** The fields of a payment, payout or refund that a case file needs. */
export type CaseFileObject = {
  id: string
  /** The id as shown in the API. */
  shownId: string
  type: 'payment' | 'payout' | 'refund'
  status: string
  pendingReason?: string | null
  ledgerReference: string | null
  railTransaction: string | null
  approval?: string | null
  approvalUserId?: string | null
  approvalAt?: Date | null
  /** Only for payments: the session or payment code that was paid. */
  originType?: string
  originId?: string
}

/** The permissions of the user who reads the case file. */
export type ReaderPermissions = { may(permission: string): boolean }

/**
 * Returns the history of an object, oldest entries first, and its next step. Each kind of entry is read along
 * an index, up to a limit.
 */
export async function openCaseFile(
  db: Database,
  scope: Scope,
  object: CaseFileObject,
  { may }: ReaderPermissions,
): Promise<CaseFile> {
  const { id, type, ledgerReference } = object
  const instruction = await selectInstruction(db, scope, id)
  const events = may('events:read') ? await selectEventsOf(db, scope, id) : []
  const deliveries = may('webhooks:read') ? await selectDeliveriesOf(db, scope, id) : []
  const decisions = may('audit:read') ? await selectDecisions(db, scope, type, id) : []
  const refunds = type === 'payment' && may('refunds:read') ? await selectRefundsOf(db, scope, id) : []
  const attempts = await attemptsBeside(db, scope, object)
  const page = { take: maxEntriesPerKind, after: undefined }
  const listed =
    ledgerReference && may('financial-transactions:read')
      ? await selectLines(db, scope, { reference: ledgerReference }, page)
      : []
  const lines = Array.isArray(listed) ? listed : listed.rows
  // Each list was read newest first. Reversing the lists keeps entries from the same millisecond in the order
  // in which they happened.
  const entries: Entry[] = [
    ...events.toReversed().map(({ id, type, at }) => ({
      ...entryAt(at, 'event'),
      eventId: showId(eventIds, id),
      eventType: type,
    })),
    ...deliveries.toReversed().map(({ id, time, ...delivery }) => ({
      ...entryAt(new Date(time), 'delivery'),
      ...delivery,
      deliveryId: showId(deliveryIds, id),
    })),
    ...(instruction?.submittedAt ? [entryAt(instruction.submittedAt, 'sent')] : []),
    ...(instruction?.delayedAt ? [entryAt(instruction.delayedAt, 'delayed')] : []),
    ...approvalOf(object),
    ...decisions.toReversed().map(({ at, ...decision }) => ({ ...entryAt(at, 'decision'), ...decision })),
    ...lines.toReversed().map(({ id, at, amount, currency }) => ({
      ...entryAt(at, 'line'),
      transactionId: showId(transactionIds, id),
      amount: moneyIn(currency)(amount),
    })),
    ...refunds.toReversed().flatMap(entriesOf),
    ...attempts.toReversed().map(({ id, status, amount, currency, createdAt }) => ({
      ...entryAt(createdAt, 'attempt'),
      paymentId: showId(paymentIds, id),
      status,
      amount: moneyIn(currency)(amount),
    })),
  ]
  return {
    objectId: object.shownId,
    status: object.status,
    next: nextOf(object, instruction?.dueAt ?? null),
    question: instruction?.askedAt
      ? {
          askedTime: instruction.askedAt.toISOString(),
          answer: instruction.answer,
          answerTime: instruction.answeredAt?.toISOString() ?? null,
        }
      : null,
    rail: {
      state: instruction?.state ?? null,
      connection: instruction?.connection ?? null,
      reference: object.railTransaction ?? instruction?.providerReference ?? null,
    },
    entries: entries.sort(inOrder),
    isWhole: [events, deliveries, decisions, lines, refunds].every(
      ({ length }) => length < maxEntriesPerKind,
    ),
  }
}

/** Orders entries by time. A decision and what follows from it have the same time, and the decision comes first. */
const inOrder = (one: Entry, other: Entry) =>
  one.time === other.time ? rankOf(one) - rankOf(other) : one.time < other.time ? -1 : 1

const rankOf = ({ kind, eventType }: Entry) =>
  kind === 'event' && eventType?.endsWith('.created') ? 0 : kind === 'approved' || kind === 'rejected' ? 1 : 2

/** Returns when a refund was requested and, once it has been completed, when that was. */
function entriesOf(refund: Awaited<ReturnType<typeof selectRefundsOf>>[number]): Entry[] {
  const { id, status, amount, currency, createdBy, createdAt, completedAt } = refund
  const shared = { refundId: showId(refundIds, id), status, amount: moneyIn(currency)(amount) }
  const requested = {
    ...entryAt(createdAt, 'refund'),
    ...shared,
    ...(createdBy && { userId: showId(userIds, createdBy) }),
  }
  if (status !== 'completed' || !completedAt) return [requested]
  return [requested, { ...entryAt(completedAt, 'refunded'), ...shared }]
}

/** Returns the other payments of a payment's session. The payments of a code have nothing to do with each other. */
const attemptsBeside = async (db: Database, scope: Scope, { id, originType, originId }: CaseFileObject) =>
  originType === 'checkout_session' && originId ? selectOtherAttempts(db, scope, { id, originId }) : []

const entryAt = <Kind extends Entry['kind']>(at: Date, kind: Kind) => ({ time: at.toISOString(), kind })

function approvalOf({ approval, approvalUserId, approvalAt }: CaseFileObject): Entry[] {
  if ((approval !== 'approved' && approval !== 'rejected') || !approvalAt || !approvalUserId) return []
  return [{ ...entryAt(approvalAt, approval), userId: showId(userIds, approvalUserId) }]
}

/** Returns the next step, which either happens automatically or needs a person. */
function nextOf({ status, pendingReason, approval }: CaseFileObject, dueAt: Date | null) {
  const time = dueAt?.toISOString() ?? null
  const step = (): NextStep => {
    if (status !== 'pending' && status !== 'processing') return 'nothing'
    if (approval === 'required' || pendingReason === 'approval') return 'approve'
    if (pendingReason === 'insufficient_balance') return 'find_money'
    return status === 'pending' ? 'send' : 'ask_rail'
  }
  const next = step()
  return { step: next, time: next === 'ask_rail' || next === 'send' ? time : null }
}
