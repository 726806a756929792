import type { Guidance, MovedMoney, RailOutcome, SubmitOutcome, UnstatedMoney } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import type { Clock } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { type FollowUp, firstFollowUp, followUpAfter, followUpMs } from '../connections/follow-ups.ts'
import type { Completed, Failed, FollowedInstruction, Followers, PayerNextStep } from './follower.ts'
import { withState } from './instructions.ts'
import { resealed } from './seals.ts'
import { canMove, isOpen } from './states.ts'
import type { Instruction } from './store.ts'

/**
 * How an update changed an instruction. Some endings open a case: `late_success` follows a failure,
 * `late_failure` follows an operator's decision that the instruction was completed, and `contradicted` means
 * that the rail moved a different amount than instructed.
 */
export type Ending = 'completed' | 'failed' | 'late_success' | 'late_failure' | 'contradicted' | 'unchanged'

/** The result of a submit or query, the verdict of a report, or an operator's finding. */
export type StatusUpdate = {
  instruction: Instruction
  result: SubmitOutcome | RailOutcome
  source: 'submit' | 'query' | 'report' | 'hand'
  /** Time of the update by the Space's clock. By default, this is the time at which it is recorded. */
  at?: Date
}

export type RecordingParts = Pick<Platform, 'log' | 'seals'> & {
  clock: Pick<Clock, 'now'>
  followers: Followers
}

/** The failure of an instruction that is still unknown to the rail some time after the submit. */
const neverReceived = { code: 'unknown', message: 'The provider never received the request.' } as const
const otherAmount = {
  code: 'unknown',
  message: 'The provider reported a different amount than requested.',
} as const

/** The changes that result from a batch of updates, collected before anything is written. */
export class Changes {
  readonly changed = new Map<string, Instruction>()
  readonly completed: Completed[] = []
  readonly failed: Failed[] = []
  readonly shown: PayerNextStep[] = []
  readonly delayed: FollowedInstruction[] = []
  readonly cases: (FollowedInstruction & { ending: Ending; amount: bigint; currency: string })[] = []
}

type Step = { instruction: Instruction; ending: Ending }

/** Applies an update: returns the instruction in its new state, and adds the resulting changes to `changes`. */
export function applyUpdate(
  parts: RecordingParts,
  changes: Changes,
  followed: FollowedInstruction,
  update: StatusUpdate,
): Step {
  const { instruction } = followed
  if (isOpen(instruction.state)) return openStep(parts, changes, followed, update)
  return update.source === 'submit'
    ? { instruction, ending: 'unchanged' }
    : endedStep(changes, followed, update)
}

function openStep(
  parts: RecordingParts,
  changes: Changes,
  followed: FollowedInstruction,
  { result, source }: StatusUpdate,
): Step {
  const { instruction, at } = followed
  const unchanged = (after = instruction): Step => ({ instruction: after, ending: 'unchanged' })
  const fail = (failure: Failed['failure']): Step => {
    const failed = { ...withState(instruction, 'failed'), ...followUp(firstFollowUp, at) }
    changes.failed.push({ instruction: failed, at, failure })
    return { instruction: failed, ending: 'failed' }
  }
  switch (result.outcome) {
    case 'accepted':
      show(changes, followed, result)
      return unchanged(
        resealed(parts, instruction, {
          ...(canMove(instruction.state, 'submitted') ? withState(instruction, 'submitted') : instruction),
          providerReference: result.providerReference ?? instruction.providerReference,
        }),
      )
    case 'refused':
      return fail(result)
    case 'missing':
      return fail(neverReceived)
    case 'done': {
      const money = movedMoney(instruction, result)
      if (isAsInstructed(instruction, money)) {
        const next = source === 'hand' ? firstFollowUp : undefined
        const succeeded = { ...withState(instruction, 'succeeded'), ...followUp(next, at) }
        const { railTransaction, card } = result
        changes.completed.push({ instruction: succeeded, at, railTransaction, card })
        return { instruction: succeeded, ending: 'completed' }
      }
      warnOfAmount(parts, instruction)
      // If money may have left, the outcome stays open, so the merchant cannot use the money again before an
      // operator has found out what happened.
      if (instruction.kind !== 'collect' || money.amount <= 0n)
        return unchanged(delay(parts, changes, followed))
      const { instruction: failed } = fail(otherAmount)
      changes.cases.push({ ...money, instruction: failed, at, ending: 'contradicted' })
      return { instruction: failed, ending: 'contradicted' }
    }
    case 'pending':
      show(changes, followed, result)
      return unchanged(delay(parts, changes, followed))
    case 'asked':
      return unchanged(delay(parts, changes, followed))
    case 'unknown':
      return source === 'submit' && canMove(instruction.state, 'unknown')
        ? unchanged(withState(instruction, 'unknown'))
        : unchanged(delay(parts, changes, followed))
  }
}

/**
 * Applies an update to an instruction that has an outcome. The outcome never changes; a contradiction opens a
 * case instead.
 */
function endedStep(
  changes: Changes,
  { instruction, at }: FollowedInstruction,
  { result, source }: StatusUpdate,
): Step {
  const next =
    instruction.look && result.outcome !== 'accepted' ? followUpAfter(instruction.look, result) : undefined
  const followUpAt = instruction.look && later(submittedAtOf(instruction), followUpMs[instruction.look])
  // A report or an early query does not replace the follow-up.
  const updated: Instruction =
    source === 'report'
      ? instruction
      : followUpAt && at < followUpAt
        ? { ...instruction, dueAt: followUpAt }
        : { ...instruction, ...followUp(next, at) }
  const { amount, currency } = instruction
  const money = result.outcome === 'done' ? movedMoney(instruction, result) : undefined
  if (instruction.state === 'failed' && instruction.submittedAt && money && money.amount > 0n) {
    changes.cases.push({ ...money, instruction: updated, at, ending: 'late_success' })
  } else if (instruction.state === 'succeeded' && instruction.look && neverMoved(result))
    changes.cases.push({ instruction: updated, at, ending: 'late_failure', amount, currency })
  return { instruction: updated, ending: 'unchanged' }
}

const neverMoved = ({ outcome }: StatusUpdate['result']) => outcome === 'refused' || outcome === 'missing'
const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
const followUp = (next: FollowUp | undefined, at: Date) => ({
  look: next?.look ?? null,
  dueAt: next ? later(at, next.afterMs) : null,
})

/** Returns the amount that the rail reported or, if it reported none, the instructed amount. */
function movedMoney(instruction: Instruction, stated: MovedMoney | UnstatedMoney): MovedMoney {
  const { amount, currency } = stated.amount === undefined ? instruction : stated
  return { amount, currency }
}

const isAsInstructed = ({ amount, currency }: Instruction, money: MovedMoney) =>
  money.amount === amount && money.currency === currency

type NextStep = { redirectUrl?: string | null; guidance?: Guidance | null }

function show(
  changes: Changes,
  followed: FollowedInstruction,
  { redirectUrl = null, guidance = null }: NextStep,
): void {
  if (redirectUrl || guidance) changes.shown.push({ ...followed, redirectUrl, guidance })
}

const submittedAtOf = ({ submittedAt }: Instruction) => must(submittedAt, 'time of submitting')

function delay(
  { followers }: RecordingParts,
  changes: Changes,
  { instruction, at }: FollowedInstruction,
): Instruction {
  const { delayedAfterMs = Number.POSITIVE_INFINITY } = followers[instruction.ownerType]
  if (instruction.delayedAt || at.getTime() < submittedAtOf(instruction).getTime() + delayedAfterMs)
    return instruction
  const delayed = { ...instruction, delayedAt: at }
  changes.delayed.push({ instruction: delayed, at })
  return delayed
}

function warnOfAmount(parts: RecordingParts, instruction: Instruction): void {
  parts.log.error(
    { security: true, ...logFields(instruction), providerId: instruction.providerId },
    'a provider reported an amount that differs from the instructed amount',
  )
}

/** Returns the fields that identify an instruction in the log: `paymentId`, `payoutId` or `refundId`. */
export const logFields = ({
  ownerType: type,
  id,
}: Pick<Instruction, 'ownerType' | 'id'>): Record<string, string> => ({
  [`${type}Id`]: showOwner({ type, id }),
})
