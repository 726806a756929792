import type { Clock } from '../platform/clock.ts'
import type { Platform } from '../platform/platform.ts'
import type { MovedMoney, Outcome, Submitted, UnstatedMoney } from '../providers/connector.ts'
import type { Guidance } from '../providers/guidance.ts'
import { firstLook, lookAfter, lookMs } from '../providers/second-looks.ts'
import { showOwner } from '../spaces/ownership.ts'
import type { Completed, Failed, Followed, Followers, Shown } from './follower.ts'
import { moved } from './instructions.ts'
import { nounOf } from './nouns.ts'
import { canMove, isOpen } from './states.ts'
import type { Instruction } from './store.ts'

/**
 * `late_success`: it had been called failed, and a case is open. `late_failure`: a person had called it completed, and a
 * case is open. `contradicted`: another amount than was asked for moved, and a case is open.
 */
export type Ending = 'completed' | 'failed' | 'late_success' | 'late_failure' | 'contradicted' | 'unchanged'

/**
 * What a rail says of an instruction, in answer to its submit or a query or in a report of its own; or a person who has
 * seen what happened.
 */
export type Said = {
  instruction: Instruction
  says: Submitted | Outcome
  by: 'submit' | 'query' | 'report' | 'hand'
}

export type RecordingParts = Pick<Platform, 'log'> & { clock: Pick<Clock, 'now'>; followers: Followers }

/** Why something failed that the rail has never heard of, well after it was submitted. */
const neverReceived = { code: 'unknown', message: 'The provider never received the request.' } as const
const otherAmount = {
  code: 'unknown',
  message: 'The provider reports another amount than was requested.',
} as const

/** What all that was said comes to. */
export class Changes {
  readonly changed = new Map<string, Instruction>()
  readonly completed: Completed[] = []
  readonly failed: Failed[] = []
  readonly shown: Shown[] = []
  readonly delayed: Followed[] = []
  readonly cases: (Followed & { ending: Ending; amount: bigint; currency: string })[] = []
}

type Step = { instruction: Instruction; ending: Ending }

/** What one thing said makes of an instruction as it is now. */
export function stepOf(parts: RecordingParts, result: Changes, followed: Followed, said: Said): Step {
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

function warnOfAmount({ log }: RecordingParts, { kind, id, providerId }: Instruction): void {
  const noun = nounOf[kind]
  log.error(
    { security: true, [`${noun}Id`]: showOwner({ type: noun, id }), providerId },
    'the provider reports another amount than was asked',
  )
}
