import { unknown } from '@pesewa/connector-kit'
import { hasKey, must } from '@pesewa/values'
import { openCases } from '../../ledger/accounts/cases.ts'
import { applyLedgerWork, type LedgerWork } from '../../ledger/accounts/holds.ts'
import { isBalanceOutOfRange } from '../../ledger/accounts/store.ts'
import { type Batches, batchKeyOf, createBatches } from '../../platform/batches.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName } from '../../platform/db/scoped.ts'
import { inSpan } from '../../platform/tracing/spans.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import { clearingDirection, type FollowedInstruction } from './follower.ts'
import { payments, payouts, refunds, unstatedAmounts } from './metrics.ts'
import { type OwnerType, ownerTypes } from './owner-types.ts'
import type { InstructionParts } from './parts.ts'
import { instructionRoute } from './payment-route.ts'
import { type Instruction, type InstructionKey, lockInstructions, writeInstructions } from './store.ts'
import {
  applyUpdate,
  Changes,
  type Ending,
  logFields,
  type RecordingParts,
  type StatusUpdate,
} from './updates.ts'

export type Recording = Batches<StatusUpdate, Ending>

/** Records concurrent updates in batches, including those of different instructions. */
export function createRecording(parts: InstructionParts): Recording {
  const { db, metrics } = parts
  return createBatches({
    // Refunds are recorded in separate batches, because recording a refund locks its payment, which must happen
    // before any other payment in the batch is locked.
    tenantOf: ({ instruction: { ownerType, scope } }) =>
      ownerType === 'refund' ? ownerType : batchKeyOf(scope),
    run: async (updates, bounds) =>
      (await db.transaction((tx) => record(tx, parts, updates), bounds)).map((ending) => ({
        answer: ending,
      })),
    observe: (size) => metrics.batchSizes.observe({ command: 'instructions.record' }, size),
    name: 'instructions.record',
  })
}

/**
 * Records, counts and logs an update. If the update cannot be recorded now, the instruction will be queried
 * again.
 */
export async function recordOne(
  parts: InstructionParts,
  recording: Recording,
  update: StatusUpdate,
): Promise<void> {
  try {
    count(parts, update, await recording.submit('', update))
  } catch (error) {
    if (!isBalanceOutOfRange(error)) throw error
    parts.log.error(
      logFields(update.instruction),
      'failed to record a status update: an account balance would be out of range',
    )
  }
}

/** Determines the changes that result from each update in turn, and then writes all of them together. */
export async function record(tx: Tx, parts: RecordingParts, updates: StatusUpdate[]): Promise<Ending[]> {
  const locked = await lockInstructions(
    tx,
    updates.map(({ instruction }) => instruction),
  )
  const now = byGlobalName(locked)
  const changes = new Changes()
  const endings = updates.map((one): Ending => {
    const name = globalName(one.instruction.scope, one.instruction.id)
    const instruction = now.get(name)
    if (!instruction) return 'unchanged'
    const at = one.at ?? parts.clock.now(instruction.scope)
    const step = applyUpdate(parts, changes, { instruction, at }, ignoreStaleMissing(instruction, one))
    now.set(name, step.instruction)
    if (step.instruction !== instruction) changes.changed.set(name, step.instruction)
    return step.ending
  })
  writeInstructions(tx, [...changes.changed.values()])
  const works: LedgerWork[] = []
  for (const ownerType of ownerTypes) works.push(...(await follow(tx, parts, changes, ownerType)))
  works.push(await openContradictionCases(tx, parts, changes, updates, endings))
  // The accounts are locked last and only once, because other transactions wait for them until the commit.
  await applyLedgerWork(tx, ...works)
  return endings
}

/** Records manual payments in the transaction that creates their instructions. */
export async function recordHandMade(
  tx: Tx,
  parts: RecordingParts,
  made: InstructionKey[],
  result: StatusUpdate['result'],
): Promise<void> {
  const instructions = await lockInstructions(tx, made)
  await record(
    tx,
    parts,
    instructions.map((instruction) => ({ instruction, result, source: 'report' })),
  )
}

/**
 * Ignores the result of a query that found nothing and was sent before the instruction was resubmitted, because
 * that result does not concern the new submit.
 */
const ignoreStaleMissing = ({ submittedAt }: Instruction, update: StatusUpdate): StatusUpdate =>
  update.result.outcome === 'missing' && update.instruction.submittedAt?.getTime() !== submittedAt?.getTime()
    ? { ...update, result: unknown('the instruction has been resubmitted since') }
    : update

async function follow(
  tx: Tx,
  { followers }: RecordingParts,
  changes: Changes,
  ownerType: OwnerType,
): Promise<LedgerWork[]> {
  const follower = followers[ownerType]
  const ofType = <T extends FollowedInstruction>(all: T[]) =>
    all.filter(({ instruction }) => instruction.ownerType === ownerType)
  const [completed, failed] = [ofType(changes.completed), ofType(changes.failed)]
  const [shown, delayed] = [ofType(changes.shown), ofType(changes.delayed)]
  if (completed.length + failed.length + shown.length + delayed.length === 0) return []
  return inSpan({ name: `follow ${ownerType}` }, async () => {
    if (shown.length > 0) await follower.nextStepShown?.(tx, shown)
    if (delayed.length > 0) await follower.delayed?.(tx, delayed)
    return [
      failed.length > 0 ? await follower.failed(tx, failed) : {},
      completed.length > 0 ? await follower.completed(tx, completed) : {},
    ]
  })
}

/**
 * Opens at most one case of each kind per object and updates the endings accordingly. Returns the postings that
 * move the money to suspense. The caller has to apply these postings.
 */
async function openContradictionCases(
  tx: Tx,
  { followers }: RecordingParts,
  { cases }: Changes,
  updates: StatusUpdate[],
  endings: Ending[],
): Promise<LedgerWork> {
  if (cases.length === 0) return {}
  const owners = new Map<Instruction, OwnerRef>()
  for (const [ownerType, ofType] of Map.groupBy(
    cases.map(({ instruction }) => instruction),
    ({ ownerType }) => ownerType,
  ))
    for (const [i, owner] of (await followers[ownerType].owners(tx, ofType)).entries())
      owners.set(must(ofType[i], 'instruction of an owner'), owner)
  const { opened, work } = await openCases(
    tx,
    cases.map(({ instruction, ending, amount, currency, at }) => ({
      scope: instruction.scope,
      kind: ending === 'late_failure' ? 'failure_after_success' : 'success_after_failure',
      object: must(owners.get(instruction), 'owner of an instruction'),
      providerId: instruction.providerId,
      direction: clearingDirection[instruction.kind],
      amount,
      currency,
      at,
    })),
  )
  for (const [ownerType, ofType] of Map.groupBy(
    cases.filter((_, i) => opened[i]),
    ({ instruction }) => instruction.ownerType,
  ))
    await followers[ownerType].contradicted?.(tx, ofType)
  // The ending `contradicted` has been set already. Any other ending is set for the instruction's last update
  // in the batch.
  for (const [i, { instruction, ending }] of cases.entries())
    if (opened[i] && ending !== 'contradicted')
      endings[updates.findLastIndex((one) => one.instruction.id === instruction.id)] = ending
  return work
}

function count(parts: InstructionParts, { instruction, result }: StatusUpdate, ending: Ending) {
  const { metrics, log } = parts
  const { ownerType, providerId: provider } = instruction
  if (ending === 'completed' && result.outcome === 'done' && result.amount === undefined) {
    unstatedAmounts(metrics).inc({ provider })
    log.info({ provider, ...logFields(instruction) }, unstated)
  }
  const queue = instructionRoute(instruction)
  if (ending === 'completed' || ending === 'failed') {
    parts.successGuard.record(queue, ending === 'completed')
    parts.connectionStats.countEnd(queue, ending === 'completed')
  }
  const counter = ended[ownerType](metrics)
  if (ending === 'completed') counter.inc({ provider, status: 'completed' })
  if (ending === 'failed' || ending === 'contradicted') counter.inc({ provider, status: 'failed' })
  const opened = caseMessages[ownerType]
  if (hasKey(opened, ending)) log.warn({ provider }, opened[ending])
}

const unstated = 'the provider reported no amount; the requested amount was assumed'

const ended = { payment: payments, payout: payouts, refund: refunds }

const caseMessages = {
  payment: {
    late_success: 'received money for a failed payment; credited suspense and opened a case',
    late_failure:
      'the money for a manually completed payment never arrived; debited suspense and opened a case',
    contradicted:
      'received a different amount than requested for a payment; credited suspense and opened a case',
  },
  payout: {
    late_success: 'a failed payout was paid after all; debited suspense and opened a case',
    late_failure: 'a manually completed payout was never paid; credited suspense and opened a case',
    contradicted: 'a different amount than instructed was paid out; debited suspense and opened a case',
  },
  refund: {
    late_success: 'a failed refund reached its payer; debited suspense and opened a case',
    late_failure: 'a completed refund did not reach its payer; credited suspense and opened a case',
    contradicted: 'a different amount than instructed was refunded; debited suspense and opened a case',
  },
} as const
