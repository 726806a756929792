import { openCases } from '../ledger/cases.ts'
import { isBeyondCount } from '../ledger/postings.ts'
import { type Batches, createBatches, laneOf } from '../platform/batches.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn } from '../platform/db/scoped.ts'
import { hasKey } from '../platform/fields.ts'
import { must } from '../platform/must.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import { directionOf, type Followed } from './follower.ts'
import { payments, payouts, unstatedAmounts } from './metrics.ts'
import type { InstructionParts } from './parts.ts'
import { type Instruction, type InstructionKind, lockInstructions, writeInstructions } from './store.ts'
import { Changes, type Ending, named, type RecordingParts, type StatusUpdate, stepOf } from './updates.ts'

export type Recording = Batches<StatusUpdate, Ending>

/** Updates that come at the same time are recorded together, whatever they are about. */
export function createRecording(parts: InstructionParts): Recording {
  const { db, metrics } = parts
  return createBatches({
    partOf: ({ instruction }) => laneOf(instruction.scope),
    run: async (updates, bounds) =>
      (await db.transaction((tx) => record(tx, parts, updates), bounds)).map((ending) => ({
        answer: ending,
      })),
    observe: (size) => metrics.batchSizes.observe({ command: 'instructions.record' }, size),
  })
}

/** Records, counts and logs; what cannot be recorded now is queried again. */
export async function recordOne(
  parts: InstructionParts,
  recording: Recording,
  update: StatusUpdate,
): Promise<void> {
  try {
    count(parts, update, await recording.submit('', update))
  } catch (error) {
    if (!isBeyondCount(error)) throw error
    parts.log.error(named(parts, update.instruction), 'an account can count no more: this waits for room')
  }
}

/** Works out what each update changes, one after the other, then writes all of it. */
export async function record(tx: Tx, parts: RecordingParts, updates: StatusUpdate[]): Promise<Ending[]> {
  const locked = await lockInstructions(
    tx,
    updates.map(({ instruction }) => instruction),
  )
  const now = byName(locked)
  const changes = new Changes()
  const endings = updates.map((one): Ending => {
    const name = nameIn(one.instruction.scope, one.instruction.id)
    const instruction = now.get(name)
    if (!instruction) return 'unchanged'
    const at = parts.clock.now(instruction.scope)
    const step = stepOf(parts, changes, { instruction, at }, one)
    now.set(name, step.instruction)
    if (step.instruction !== instruction) changes.changed.set(name, step.instruction)
    return step.ending
  })
  await writeInstructions(tx, [...changes.changed.values()])
  for (const kind of ['collect', 'disburse'] as const) await follow(tx, parts, changes, kind)
  return openCasesOf(tx, parts, changes, updates, endings)
}

async function follow(tx: Tx, { followers }: RecordingParts, changes: Changes, kind: InstructionKind) {
  const follower = followers[kind]
  const ofKind = <T extends Followed>(all: T[]) => all.filter(({ instruction }) => instruction.kind === kind)
  const [completed, failed] = [ofKind(changes.completed), ofKind(changes.failed)]
  const [shown, delayed] = [ofKind(changes.shown), ofKind(changes.delayed)]
  if (shown.length > 0) await follower.shown?.(tx, shown)
  if (delayed.length > 0) await follower.delayed?.(tx, delayed)
  if (completed.length > 0) await follower.completed(tx, completed)
  if (failed.length > 0) await follower.failed(tx, failed)
}

/** Each object has a case of its kind once. */
async function openCasesOf(
  tx: Tx,
  { followers }: RecordingParts,
  { cases }: Changes,
  updates: StatusUpdate[],
  endings: Ending[],
): Promise<Ending[]> {
  if (cases.length === 0) return endings
  const owners = new Map<Instruction, OwnerRef>()
  for (const [kind, ofKind] of Map.groupBy(
    cases.map(({ instruction }) => instruction),
    ({ kind }) => kind,
  ))
    for (const [i, owner] of (await followers[kind].owners(tx, ofKind)).entries())
      owners.set(must(ofKind[i], 'instruction of an owner'), owner)
  const opened = await openCases(
    tx,
    cases.map(({ instruction, ending, amount, currency, at }) => ({
      scope: instruction.scope,
      kind: ending === 'late_failure' ? 'failure_after_success' : 'success_after_failure',
      object: must(owners.get(instruction), 'owner of an instruction'),
      providerId: instruction.providerId,
      direction: directionOf[instruction.kind],
      amount,
      currency,
      at,
    })),
  )
  // `contradicted` is an ending already, and later updates of the same batch change nothing.
  for (const [i, { instruction, ending }] of cases.entries())
    if (opened[i] && ending !== 'contradicted')
      endings[updates.findLastIndex((one) => one.instruction.id === instruction.id)] = ending
  return endings
}

function count(parts: InstructionParts, { instruction, result }: StatusUpdate, ending: Ending) {
  const { metrics, log } = parts
  const { kind, providerId: provider } = instruction
  if (ending === 'completed' && result.outcome === 'done' && result.amount === undefined) {
    unstatedAmounts(metrics).inc({ provider })
    log.info({ provider, ...named(parts, instruction) }, unstated)
  }
  const counter = (kind === 'collect' ? payments : payouts)(metrics)
  if (ending === 'completed') counter.inc({ provider, status: 'completed' })
  if (ending === 'failed' || ending === 'contradicted') counter.inc({ provider, status: 'failed' })
  const opened = openedFor[kind]
  if (hasKey(opened, ending)) log.warn({ provider }, opened[ending])
}

const unstated = 'the provider states no amount: what was requested counts as moved'

const openedFor = {
  collect: {
    late_success: 'money arrived for a payment that had failed; it is in suspense and a case is open',
    late_failure:
      'money never arrived for a payment completed by hand; it is missing in suspense and a case is open',
    contradicted: 'another amount arrived than was requested; it is in suspense and a case is open',
  },
  disburse: {
    late_success: 'money left for a payout that had failed; it is missing in suspense and a case is open',
    late_failure: 'money never left for a payout completed by hand; it is in suspense and a case is open',
    contradicted: 'another amount left than was instructed; it is missing in suspense and a case is open',
  },
} as const
