import { systemAccounts } from '../ledger/accounts.ts'
import { isBeyondCount, openCases } from '../ledger/postings.ts'
import { type Batches, createBatches, laneOf } from '../platform/batches.ts'
import type { Clock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn } from '../platform/db/scoped.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import type { MovedMoney, Outcome, Submitted, UnstatedMoney } from '../providers/connector.ts'
import type { Guidance } from '../providers/guidance.ts'
import { firstLook, lookAfter, lookMs } from '../providers/second-looks.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import type { Completed, Failed, Followed, Followers, Shown } from './follower.ts'
import { moved } from './instructions.ts'
import { directionOf, nounOf } from './nouns.ts'
import { canMove, isOpen } from './states.ts'
import { type Instruction, type InstructionKind, lockInstructions, writeInstructions } from './store.ts'

/**
 * `late_success`: it had been called failed, and a case is open. `late_failure`: a person had called it completed, and a
 * case is open. `contradicted`: another amount than was asked for moved, and a case is open.
 */
export type Ending = 'completed' | 'failed' | 'late_success' | 'late_failure' | 'contradicted' | 'unchanged'

/**
 * What a rail says of an instruction, when it was told, when it was asked or in a report of its own; or a person who has
 * seen what happened.
 */
export type Said = {
  instruction: Instruction
  says: Submitted | Outcome
  by: 'submit' | 'query' | 'report' | 'hand'
}

export type Recording = Batches<Said, Ending>
export type RecordingParts = Pick<Platform, 'log'> & { clock: Pick<Clock, 'now'>; followers: Followers }

/** Why something failed that the rail has never heard of, well after it was submitted. */
const neverReceived = { code: 'unknown', message: 'The provider never received the request.' } as const
const otherAmount = {
  code: 'unknown',
  message: 'The provider reports another amount than was asked for.',
} as const

/** What rails say at the same time is recorded together, whatever it is about. */
export function createRecording(parts: Platform & RecordingParts): Recording {
  const { db, metrics } = parts
  return createBatches({
    partOf: ({ instruction }) => laneOf(instruction.scope),
    run: async (said, bounds) =>
      (await db.transaction((tx) => record(tx, parts, said), bounds)).map((ending) => ({ answer: ending })),
    observe: (size) => metrics.batchSizes.observe({ command: 'instructions.record' }, size),
  })
}

/** Records, counts and logs; what cannot be recorded now is asked for again. */
export async function recordOne(parts: Platform, recording: Recording, said: Said): Promise<void> {
  const { instruction } = said
  try {
    count(parts, said, await recording.submit('', said))
  } catch (error) {
    if (!isBeyondCount(error)) throw error
    parts.log.error(
      { [`${nounOf[instruction.kind]}Id`]: showId(nounOf[instruction.kind], instruction.id) },
      'an account can count no more: this waits for room',
    )
  }
}

/** Works out one after the other what each said changes, then writes all of it. */
class Changes {
  readonly changed = new Map<string, Instruction>()
  readonly completed: Completed[] = []
  readonly failed: Failed[] = []
  readonly shown: Shown[] = []
  readonly delayed: Followed[] = []
  readonly cases: (Followed & { ending: Ending; amount: bigint; currency: string })[] = []
}

export async function record(tx: Tx, parts: RecordingParts, said: Said[]): Promise<Ending[]> {
  const locked = await lockInstructions(
    tx,
    said.map(({ instruction }) => instruction),
  )
  const now = byName(locked)
  const result = new Changes()
  const endings = said.map((one): Ending => {
    const name = nameIn(one.instruction.scope, one.instruction.id)
    const instruction = now.get(name)
    if (!instruction) return 'unchanged'
    const at = parts.clock.now(instruction.scope)
    const step = stepOf(parts, result, { instruction, at }, one)
    now.set(name, step.instruction)
    if (step.instruction !== instruction) result.changed.set(name, step.instruction)
    return step.ending
  })
  await writeInstructions(tx, [...result.changed.values()])
  for (const kind of ['collect', 'disburse'] as const) await follow(tx, parts, result, kind)
  return openCasesOf(tx, parts, result, said, endings)
}

type Step = { instruction: Instruction; ending: Ending }

/** What one thing said makes of an instruction as it is now. */
function stepOf(parts: RecordingParts, result: Changes, followed: Followed, said: Said): Step {
  const { instruction } = followed
  if (isOpen(instruction.state)) return openStep(parts, result, followed, said)
  return said.by === 'submit' ? { instruction, ending: 'unchanged' } : endedStep(result, followed, said)
}

function openStep(parts: RecordingParts, result: Changes, followed: Followed, { says, by }: Said): Step {
  const { instruction, at } = followed
  const unchanged = (after = instruction): Step => ({ instruction: after, ending: 'unchanged' })
  const fail = (failure: Failed['failure']): Step => {
    const failed = {
      ...moved(instruction, 'failed'),
      look: firstLook.look,
      dueAt: later(at, firstLook.afterMs),
    }
    result.failed.push({ instruction: failed, at, failure })
    return { instruction: failed, ending: 'failed' }
  }
  switch (says.outcome) {
    case 'accepted':
      show(result, followed, says)
      return unchanged({
        ...(canMove(instruction.state, 'submitted') ? moved(instruction, 'submitted') : instruction),
        providerReference: says.providerReference ?? instruction.providerReference,
      })
    case 'refused':
      return fail(says)
    case 'missing':
      return fail(neverReceived)
    case 'done': {
      const money = movedOf(instruction, says)
      if (isWhatWasAsked(instruction, money)) {
        const look = by === 'hand' ? firstLook : undefined
        const succeeded = {
          ...moved(instruction, 'succeeded'),
          look: look?.look ?? null,
          dueAt: look ? later(at, look.afterMs) : null,
        }
        result.completed.push({
          instruction: succeeded,
          at,
          railTransaction: says.railTransaction,
          card: says.card,
        })
        return { instruction: succeeded, ending: 'completed' }
      }
      warnOfAmount(parts, instruction)
      // What left is missing from the merchant's account for as long as a person has not said what it was.
      if (instruction.kind === 'disburse' || money.amount <= 0n)
        return unchanged(delay(parts, result, followed))
      const { instruction: failed } = fail(otherAmount)
      result.cases.push({ ...money, instruction: failed, at, ending: 'contradicted' })
      return { instruction: failed, ending: 'contradicted' }
    }
    case 'pending':
      show(result, followed, says)
      return unchanged(delay(parts, result, followed))
    case 'asked':
      return unchanged(delay(parts, result, followed))
    case 'unknown':
      return by === 'submit' && canMove(instruction.state, 'unknown')
        ? unchanged(moved(instruction, 'unknown'))
        : unchanged(delay(parts, result, followed))
  }
}

/** One that has ended stays as it is: what contradicts its end becomes a case. */
function endedStep(result: Changes, { instruction, at }: Followed, { says, by }: Said): Step {
  const next = instruction.look && says.outcome !== 'accepted' ? lookAfter(instruction.look, says) : undefined
  const lookAt = instruction.look && later(instruction.submittedAt!, lookMs[instruction.look])
  // A report, and a question that it made us ask early, stand in for no look: that stays for its time.
  const looked: Instruction =
    by === 'report'
      ? instruction
      : lookAt && at < lookAt
        ? { ...instruction, dueAt: lookAt }
        : { ...instruction, look: next?.look ?? null, dueAt: next ? later(at, next.afterMs) : null }
  const { amount, currency } = instruction
  const money = says.outcome === 'done' ? movedOf(instruction, says) : undefined
  if (instruction.state === 'failed' && instruction.submittedAt && money && money.amount > 0n) {
    result.cases.push({ ...money, instruction: looked, at, ending: 'late_success' })
  } else if (instruction.state === 'succeeded' && instruction.look && neverMoved(says))
    result.cases.push({ instruction: looked, at, ending: 'late_failure', amount, currency })
  return { instruction: looked, ending: 'unchanged' }
}

const neverMoved = ({ outcome }: Said['says']) => outcome === 'refused' || outcome === 'missing'
const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** Of a rail that states no amounts, what it was asked for. */
function movedOf(asked: Instruction, said: MovedMoney | UnstatedMoney): MovedMoney {
  const { amount, currency } = said.amount === undefined ? asked : said
  return { amount, currency }
}

const isWhatWasAsked = ({ amount, currency }: Instruction, said: { amount: bigint; currency: string }) =>
  said.amount === amount && said.currency === currency

type WayOn = { redirectUrl?: string | null; guidance?: Guidance | null }

function show(result: Changes, followed: Followed, { redirectUrl = null, guidance = null }: WayOn): void {
  if (redirectUrl || guidance) result.shown.push({ ...followed, redirectUrl, guidance })
}

function delay({ followers }: RecordingParts, result: Changes, { instruction, at }: Followed): Instruction {
  const { delayedAfterMs = Number.POSITIVE_INFINITY } = followers[instruction.kind]
  if (instruction.delayedAt || at.getTime() < instruction.submittedAt!.getTime() + delayedAfterMs)
    return instruction
  const delayed = { ...instruction, delayedAt: at }
  result.delayed.push({ instruction: delayed, at })
  return delayed
}

async function follow(tx: Tx, { followers }: RecordingParts, result: Changes, kind: InstructionKind) {
  const follower = followers[kind]
  const ofKind = <T extends Followed>(all: T[]) => all.filter(({ instruction }) => instruction.kind === kind)
  const [completed, failed] = [ofKind(result.completed), ofKind(result.failed)]
  const [shown, delayed] = [ofKind(result.shown), ofKind(result.delayed)]
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
  said: Said[],
  endings: Ending[],
): Promise<Ending[]> {
  if (cases.length === 0) return endings
  const clearing = await systemAccounts(
    tx,
    cases.map(({ instruction: { scope, kind, providerId }, currency, at }) => ({
      scope,
      purpose: `clearing ${providerId} ${directionOf[kind]}`,
      currency,
      at,
    })),
  )
  const owners = new Map<Instruction, OwnerRef>()
  for (const [kind, ofKind] of Map.groupBy(
    cases.map(({ instruction }) => instruction),
    ({ kind }) => kind,
  ))
    for (const [i, owner] of (await followers[kind].owners(tx, ofKind)).entries())
      owners.set(ofKind[i]!, owner)
  const opened = await openCases(
    tx,
    cases.map(({ instruction, ending, amount, currency, at }, i) => ({
      scope: instruction.scope,
      kind: ending === 'late_failure' ? 'failure_after_success' : 'success_after_failure',
      object: owners.get(instruction)!,
      direction: directionOf[instruction.kind],
      clearingAccountId: clearing[i]!,
      amount,
      currency,
      at,
    })),
  )
  // One that ends by what contradicts it says so already, and what was said after it in the same batch changes nothing.
  for (const [i, { instruction, ending }] of cases.entries())
    if (opened[i] && ending !== 'contradicted')
      endings[said.findLastIndex((one) => one.instruction.id === instruction.id)] = ending
  return endings
}

function warnOfAmount({ log }: RecordingParts, { kind, id, providerId }: Instruction): void {
  const noun = nounOf[kind]
  log.error(
    { security: true, [`${noun}Id`]: showId(noun, id), providerId },
    'the provider reports another amount than was asked',
  )
}

function count(
  { metrics, log }: Platform,
  { instruction: { kind, id, providerId: provider }, says }: Said,
  ending: Ending,
) {
  if (ending === 'completed' && says.outcome === 'done' && says.amount === undefined) {
    metrics.unstatedAmounts.inc({ provider })
    log.info({ provider, [`${nounOf[kind]}Id`]: showId(nounOf[kind], id) }, unstated)
  }
  const counter = kind === 'collect' ? metrics.payments : metrics.payouts
  if (ending === 'completed') counter.inc({ provider, status: 'completed' })
  if (ending === 'failed' || ending === 'contradicted') counter.inc({ provider, status: 'failed' })
  const opened = openedFor[kind][ending as keyof (typeof openedFor)['collect']]
  if (opened) log.warn({ provider }, opened)
}

const unstated = 'the provider states no amount: taken as what was asked for'

const openedFor = {
  collect: {
    late_success: 'money arrived for a payment that had failed; it is in suspense and a case is open',
    late_failure:
      'money never came for a payment completed by hand; it is missing in suspense and a case is open',
    contradicted: 'another amount arrived than a payment asked for; it is in suspense and a case is open',
  },
  disburse: {
    late_success: 'money left for a payout that had failed; it is missing in suspense and a case is open',
    late_failure: 'money never left for a payout completed by hand; it is in suspense and a case is open',
    contradicted: 'another amount left than a payout asked for; it is missing in suspense and a case is open',
  },
} as const
