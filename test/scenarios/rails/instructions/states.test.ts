import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { openFollowers } from '../../../../packages/server/src/followers.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { refundIds } from '../../../../packages/server/src/money/refunds/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { withState } from '../../../../packages/server/src/rails/instructions/instructions.ts'
import { firstQueryAt } from '../../../../packages/server/src/rails/instructions/query-times.ts'
import {
  createRecording,
  type Recording,
} from '../../../../packages/server/src/rails/instructions/recording.ts'
import { instructionSeal } from '../../../../packages/server/src/rails/instructions/seals.ts'
import type { InstructionState } from '../../../../packages/server/src/rails/instructions/states.ts'
import {
  type Instruction,
  lockInstructions,
  writeInstructions,
} from '../../../../packages/server/src/rails/instructions/store.ts'
import type { Ending, StatusUpdate } from '../../../../packages/server/src/rails/instructions/updates.ts'
import { type Merchant, startTestApp } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'

// Two nodes on one database, each of which records outcomes independently. Neither has queues: the test decides
// what rails report.
const one = await startTestApp({ work: false })
const other = await startTestApp({ work: false, anotherNodeOf: one })
after(async () => {
  await other.close()
  await one.close()
})
const { db, clock } = one.app.parts
const followers = openFollowers(one.app.parts)
const nodes = [one, other].map(({ app }) =>
  createRecording({ ...app.parts, followers: openFollowers(app.parts) }),
)

let merchant: Merchant
const amount = 100

before(async () => {
  merchant = await one.merchant()
  await fund(one.app.parts, merchant.scope, 10_000_000)
})

async function pay(value: number): Promise<string> {
  const lineItems = [{ name: 'Rice', price: { currency: 'SLE', value } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order', lineItems })).body
    .result
  await createPayer(session.redirectUrl).pay('dw001', { walletId: 'fatu456' })
  const [payment] = (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
    .result
  return payment.id
}

const maxRefunds = 20
let begun = 0
let original: string

/** Completes a payment, and creates as many partial refunds of it as a payment may have. */
async function payOriginal(): Promise<string> {
  const id = await pay(amount * maxRefunds)
  const [instruction] = await submit([readId(paymentIds, id)!])
  await nodes[0]!.submit('', {
    instruction: instruction!,
    source: 'query',
    result: done(amount * maxRefunds),
  })
  return id
}

/** Creates a payment, a payout and a refund that are being submitted. */
async function begin(): Promise<Instruction[]> {
  if (begun++ % maxRefunds === 0) original = await payOriginal()
  const paymentId = await pay(amount)
  const destination = { type: 'wallet', providerId: 'dw001', walletId: 'fatu456' }
  const payout = await merchant.call('POST', '/v1/payouts', {
    amount: { currency: 'SLE', value: amount },
    destination,
  })
  const refund = await merchant.call('POST', '/v1/refunds', {
    paymentId: original,
    amount: { currency: 'SLE', value: amount },
    reason: 'other',
  })
  return submit([
    readId(paymentIds, paymentId)!,
    readId(payoutIds, payout.body.result.id)!,
    readId(refundIds, refund.body.result.id)!,
  ])
}

/** Prepares the instructions for submission, in this order. */
function submit(ids: string[]): Promise<Instruction[]> {
  return db.transaction(async (tx) => {
    const { scope } = merchant
    const at = clock.now(scope)
    const locked = await lockInstructions(
      tx,
      ids.map((id) => ({ scope, id })),
    )
    const submitting = locked.map((instruction) => ({
      ...withState(instruction, 'submitting'),
      submittedAt: at,
      dueAt: firstQueryAt(at),
      seal: instructionSeal(one.app.parts.seals, instruction),
    }))
    writeInstructions(tx, submitting)
    for (const instruction of submitting)
      await followers[instruction.ownerType].submitting(tx, [{ instruction, at }])
    return submitting
  })
}

type ReportedUpdate = Omit<StatusUpdate, 'instruction'>

const refused = { outcome: 'refused', code: 'rejected', message: 'No.' } as const
const unclear = { outcome: 'unknown', why: '500' } as const
const done = (value: number, currency = 'SLE') =>
  ({ outcome: 'done', amount: BigInt(value), currency, railTransaction: 'R1' }) as const
const asAsked = done(amount)
const otherwise = [done(amount + 1), done(amount - 1), done(0), done(amount, 'GHS')]

/**
 * Everything that a rail can respond or report, and the decisions of an operator who has found out what
 * happened to the money.
 */
const reportedUpdates = fc.oneof(
  fc.record({
    source: fc.constant('submit' as const),
    result: fc.constantFrom({ outcome: 'accepted' } as const, refused, unclear, {
      outcome: 'accepted',
      redirectUrl: 'https://rail.example/page',
      providerReference: 'theirs',
    } as const),
  }),
  fc.record({
    source: fc.constant('query' as const),
    result: fc.constantFrom<StatusUpdate['result'][]>(
      asAsked,
      ...otherwise,
      refused,
      unclear,
      { outcome: 'missing' },
      { outcome: 'pending' },
    ),
  }),
  fc.record({
    source: fc.constant('hand' as const),
    result: fc.constantFrom<StatusUpdate['result'][]>(asAsked, refused),
  }),
)

/** The number of the node, the object and the report. */
const happenings = fc.array(fc.tuple(fc.nat(1), fc.nat(2), reportedUpdates), { minLength: 1, maxLength: 12 })

const is = (outcome: string) => (saying: ReportedUpdate) => saying.result.outcome === outcome
const isAsAsked = ({ result }: ReportedUpdate) =>
  result.outcome === 'done' && result.amount === BigInt(amount) && result.currency === 'SLE'
const isOther = (saying: ReportedUpdate) => is('done')(saying) && !isAsAsked(saying)
const movesSomething = ({ result }: ReportedUpdate) => result.outcome === 'done' && (result.amount ?? 0n) > 0n
const saysNo = (saying: ReportedUpdate) => is('refused')(saying) || is('missing')(saying)

/** Returns the possible outcomes of an instruction after all these reports, in any order. */
function possible({ kind }: Instruction, reports: ReportedUpdate[]): Set<InstructionState> {
  const states = new Set<InstructionState>()
  if (reports.some(isAsAsked)) states.add('succeeded')
  // A payment of a different amount fails. A payout of a different amount stays open until an operator has
  // found out how much left.
  if (
    reports.some(saysNo) ||
    (kind === 'collect' && reports.some((saying) => isOther(saying) && movesSomething(saying)))
  )
    states.add('failed')
  if (states.size > 0) return states
  if (reports.some(is('accepted'))) states.add('submitted')
  if (reports.some((saying) => is('unknown')(saying) && saying.source === 'submit')) states.add('unknown')
  return states.size > 0 ? states : new Set(['submitting'])
}

type Found = { state: InstructionState; status: string; postings: bigint; cases: bigint; ended: bigint }

const find = ({ scope: { spaceId, environment }, id }: Instruction) =>
  db.one<Found>(sql`
    select instruction.state, object.status,
      (select count(*) from ledger_lines line
        where line.space_id = instruction.space_id and line.environment = instruction.environment
          and line.reference = object.ledger_reference and not line.is_financial and line.fee_code is null) as postings,
      (select count(*) from ledger_cases c
        where c.space_id = instruction.space_id and c.environment = instruction.environment
          and c.object_id = instruction.id) as cases,
      (select count(*) from event_facts fact cross join unnest(fact.types) type
        where fact.space_id = instruction.space_id and fact.environment = instruction.environment
          and fact.object_id = instruction.id
          and type in ('payment.completed', 'payment.failed', 'payout.completed', 'payout.failed',
            'refund.completed', 'refund.failed')) as ended
    from instructions instruction
    join (
      select space_id, environment, id, status, ledger_reference from payments
      union all select space_id, environment, id, status, ledger_reference from payouts
      union all select space_id, environment, id, status, ledger_reference from refunds
    ) object using (space_id, environment, id)
    where instruction.space_id = ${spaceId} and instruction.environment = ${environment} and instruction.id = ${id}`)

const endings: Ending[] = ['completed', 'failed', 'contradicted']
const openings: Ending[] = ['late_success', 'late_failure', 'contradicted']

async function judge(instruction: Instruction, reports: ReportedUpdate[], outcomes: Ending[]): Promise<void> {
  const found = (await find(instruction))!
  assert.ok(possible(instruction, reports).has(found.state), `it is ${found.state}`)
  const statuses = { succeeded: 'completed', failed: 'failed' } as Partial<Record<InstructionState, string>>
  assert.equal(found.status, statuses[found.state] ?? 'processing')
  const hasEnded = found.status !== 'processing'
  assert.equal(found.ended, hasEnded ? 1n : 0n)
  assert.equal(found.postings, found.state === 'succeeded' ? 1n : 0n)
  assert.ok(found.cases <= 1n)
  assert.equal(outcomes.filter((ending) => endings.includes(ending)).length, hasEnded ? 1 : 0)
  assert.equal(BigInt(outcomes.filter((ending) => openings.includes(ending)).length), found.cases)
}

describe('whatever rails and operators report about a payment, a payout and a refund, in any order and to either node', () => {
  test('each ends once or stays open, as its transitions allow; money is booked and a case opened at most once', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (happened) => {
        const instructions = await begin()
        const outcomes = await Promise.all(
          happened.map(async ([node, which, saying]) => {
            const recording: Recording = nodes[node]!
            return recording.submit('', { ...saying, instruction: instructions[which]! })
          }),
        )
        for (const [which, instruction] of instructions.entries()) {
          const mine = happened.flatMap(([, of, saying], i) =>
            of === which ? [{ saying, outcome: outcomes[i]! }] : [],
          )
          await judge(
            instruction,
            mine.map(({ saying }) => saying),
            mine.map(({ outcome }) => outcome),
          )
        }
      }),
      { numRuns: 60, endOnFailure: true },
    )
    await one.verify()
  })
})
