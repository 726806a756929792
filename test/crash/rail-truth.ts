import assert from 'node:assert/strict'
import { paymentIds } from '../../packages/server/src/money/payments/resources.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../packages/server/src/platform/ids.ts'
import { endings } from '../support/endings.ts'
import { call } from '../support/program.ts'
import type { Stand } from './stand.ts'

/** An instruction, and what its rail did with it. */
export type Judged = {
  id: string
  kind: 'collect' | 'disburse' | 'refund'
  ownerType: 'payment' | 'payout' | 'refund'
  providerId: string
  reference: string
  status: string
  failureMessage: string | null
  /** How often the rail received it, and how often its money moved. */
  had: number
  moved: number
  /** The digits that decide its outcome at the rail. */
  digits: string
  /**
   * Whether the payer never reached the rail's page, or never received a code to enter, before the rail stopped
   * waiting.
   */
  missed: boolean
  hasCase: boolean
}

export const hasEnded = ({ status }: { status: string }) => status === 'completed' || status === 'failed'

type Row = Omit<Judged, 'had' | 'moved' | 'digits' | 'missed' | 'hasCase'> & {
  account: string | null
  orderNumber: string
  payerMessage: string | null
}

/** Selects all payments, payouts and refunds of the Space. */
const selectAll = ({ db, scope: { spaceId } }: Stand) =>
  db.query<Row>(sql`
    select instruction.id, instruction.kind, instruction.owner_type, instruction.provider_id, instruction.reference,
      coalesce(instruction.account_last, instruction.account) as account, object.status, object.failure_message, object.order_number, object.payer_message
    from instructions instruction
    join (
      select id, status, failure_message, order_number, null as payer_message from payments
      where space_id = ${spaceId} and environment = 'test'
      union all
      select id, status, failure_message, null, null from payouts where space_id = ${spaceId} and environment = 'test'
      union all
      select id, status, failure_message, order_number, payer_message from refunds
      where space_id = ${spaceId} and environment = 'test'
    ) object using (id)
    where instruction.space_id = ${spaceId} and instruction.environment = 'test'`)

type AtRail = {
  kind: string
  protocol: string
  reference: string
  externalId: string
  note: string
  refundOf: string | null
  hasMoved: boolean
  missed: boolean
}

const selectAtRails = ({ simulator }: Stand) =>
  // every space: the simulator is the outside world
  simulator.db.query<AtRail>(sql`
    select 'in' as kind, protocol, reference::text, external_id, payee_note as note, null as refund_of, moved_at is not null as has_moved,
      return_url is not null and reason is not distinct from 'EXPIRED' as missed
    from simulator_collections
    union all
    select 'out', protocol, reference::text, external_id, payee_note, refund_of::text, moved_at is not null, false
    from simulator_disbursements`)

/**
 * Returns what the rails did with each instruction. It is found by our reference; on rails that get no
 * reference, by the order number of a payment, by the note on a refund, or by the reversed payment, which can
 * be reversed only once.
 */
export async function judge(
  stand: Stand,
  endingOf: (orderNumber: string) => string | undefined,
): Promise<Judged[]> {
  // The order matters: an order that a rail has was instructed earlier, and money with a case had moved
  // earlier.
  const cases = await selectCases(stand)
  const atRails = await selectAtRails(stand)
  const rows = await selectAll(stand)
  const [collected, paidOut] = [
    atRails.filter(({ kind }) => kind === 'in'),
    atRails.filter(({ kind }) => kind === 'out'),
  ]
  const byReference = Map.groupBy(atRails, ({ reference }) => reference)
  const byNote = Map.groupBy(paidOut, ({ note }) => note)
  const byOrder = Map.groupBy(collected, ({ externalId }) => externalId)
  const byOriginal = Map.groupBy(
    paidOut.filter(({ protocol }) => protocol === 'mpesa-daraja'),
    ({ refundOf }) => refundOf,
  )
  const foundFor = ({ kind, reference, orderNumber }: Row): AtRail[] => {
    const own = byReference.get(reference)
    if (own) return own
    if (kind === 'disburse') return []
    const ofOrder = byOrder.get(orderNumber) ?? []
    if (kind === 'collect') return ofOrder
    return byNote.get(reference) ?? ofOrder.flatMap((original) => byOriginal.get(original.reference) ?? [])
  }
  const ours = new Set<AtRail>()
  const judged = rows.map(({ account, orderNumber, payerMessage, ...row }) => {
    const found = foundFor({ account, orderNumber, payerMessage, ...row })
    for (const one of found) ours.add(one)
    const digits =
      row.kind === 'collect'
        ? endingOf(orderNumber)
        : row.kind === 'refund'
          ? payerMessage
          : account?.slice(-3)
    return {
      ...row,
      had: found.length,
      moved: found.filter(({ hasMoved }) => hasMoved).length,
      digits: digits !== undefined && digits !== null && digits in endings ? digits : '456',
      missed: found.some(({ missed }) => missed),
      hasCase: cases.has(row.id),
    }
  })
  const strays = atRails.filter((one) => !ours.has(one))
  assert.deepEqual(strays, [], 'a rail has an order without an instruction')
  return judged
}

async function selectCases({ db, scope }: Stand): Promise<Set<string>> {
  const rows = await db.query<{ objectId: string }>(sql`
    select object_id from ledger_cases where space_id = ${scope.spaceId}`)
  return new Set(rows.map(({ objectId }) => objectId))
}

/** Lets payers do what the rails ask of them: approve on pages, and enter codes. */
export async function payersAct(
  stand: Stand,
  endingOf: (orderNumber: string) => string | undefined,
): Promise<void> {
  // every space: the simulator is the outside world
  const waiting = await stand.simulator.db.query<{
    protocol: string
    providerId: string
    reference: string
    externalId: string
    returnUrl: string
  }>(sql`
    select protocol, provider_id, reference, external_id, return_url from simulator_collections
    where asks_until is not null and status = 'PENDING' and return_url is not null`)
  for (const { protocol, providerId, reference, externalId, returnUrl } of waiting)
    if (returnUrl === '') await giveCode(stand, reference)
    else {
      const page = `${stand.simulator.url}/${protocol}/${providerId}/pages/${reference}`
      const body = new URLSearchParams({
        answer: 'approve',
        card: 'visa',
        ending: endingOf(externalId) ?? '',
      })
      await fetch(page, { method: 'POST', redirect: 'manual', body })
    }
}

/** Submits a payer's code, as soon as the service knows that one is required; before that, it accepts none. */
async function giveCode({ db, shop, scope }: Stand, reference: string): Promise<void> {
  const [payment] = await db.query<{ id: string }>(sql`
    select id from instructions
    where space_id = ${scope.spaceId} and environment = 'test' and reference = ${reference}`)
  if (payment)
    await call(shop, 'POST', `/v1/payments/${showId(paymentIds, payment.id)}/submit-code`, { code: '123456' })
}
