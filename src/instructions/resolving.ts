import { readNow } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Decider, writeAuditEntry } from '../spaces/audit.ts'
import type { OwnerType } from './owner-types.ts'
import { record } from './recording.ts'
import { isOpen } from './states.ts'
import {
  countDelayed,
  type Instruction,
  lockInstructions,
  type OpenInstruction,
  selectOpen,
  selectScopeOf,
} from './store.ts'
import type { RecordingParts, StatusUpdate } from './updates.ts'

export type { OpenInstruction } from './store.ts'

/** What a person has found out about money whose rail reports no outcome. */
export type Resolution = 'completed' | 'failed'

const resolvableAfterMs = 86_400_000 // limit: time until a payment, payout or refund can be resolved by hand

/**
 * Ends a payment, payout or refund whose outcome a person has found out. The rail is queried once more, as after every failure:
 * if it says the opposite, that is a case.
 *
 * @throws Refusal `not_found`; `state_conflict` when it has ended, was not sent, or was sent within the last day
 */
export async function resolve(
  tx: Tx,
  parts: Omit<RecordingParts, 'clock'>,
  { ownerType, id, resolution }: { ownerType: OwnerType; id: string; resolution: Resolution },
  decider: Decider,
): Promise<Instruction> {
  const scope = await selectScopeOf(tx, ownerType, id)
  const [instruction] = scope ? await lockInstructions(tx, [{ scope, id }]) : []
  if (!instruction)
    throw new Refusal('not_found', { message: `There is no such ${ownerType}, or it was not sent yet.` })
  const at = await readNow(tx, instruction.scope)
  refuseUnlessResolvable(instruction, at)
  const result = resultOf(instruction, resolution)
  await record(tx, { ...parts, clock: { now: () => at } }, [{ instruction, result, source: 'hand' }])
  const details = { as: resolution, railState: instruction.state }
  await writeAuditEntry(tx, instruction.scope, decider, {
    action: `${ownerType}.resolve`,
    objectType: ownerType,
    objectId: id,
    details,
  })
  return instruction
}

function resultOf(
  { ownerType, amount, currency }: Instruction,
  resolution: Resolution,
): StatusUpdate['result'] {
  if (resolution === 'completed') return { outcome: 'done', amount, currency, railTransaction: undefined }
  return { outcome: 'refused', code: 'unknown', message: didNot[ownerType] }
}

const didNot = {
  payment: 'The provider did not collect it.',
  payout: 'The provider did not pay it out.',
  refund: 'The provider did not give it back.',
} as const

function refuseUnlessResolvable({ ownerType, state, submittedAt }: Instruction, at: Date): void {
  if (state === 'created') throw conflict(`This ${ownerType} was not sent yet.`)
  if (!isOpen(state) || !submittedAt)
    throw conflict(`This ${ownerType} has ended: it is ${state === 'succeeded' ? 'completed' : 'failed'}.`)
  const from = resolvableFrom({ submittedAt })
  if (at < from)
    throw conflict(
      `The provider is still being queried; this ${ownerType} can be resolved from ${from.toISOString()} on, by the clock of its Space.`,
    )
}

const conflict = (message: string) => new Refusal('state_conflict', { message })

/** By the Space's clock. */
export const resolvableFrom = ({ submittedAt }: { submittedAt: Date }) =>
  new Date(submittedAt.getTime() + resolvableAfterMs)

const maxListed = 1_000 // limit: unknown payments, payouts and refunds that are listed

/** Those of every Space whose outcome is not known, oldest submit first. */
export const listUnknown = (db: Reader, ownerType: OwnerType): Promise<OpenInstruction[]> =>
  selectOpen(db, ownerType, maxListed)

const maxCounted = 10_000 // limit: delayed payouts that metrics count

/** Payouts of every Space with a delay event and no outcome yet. */
export const delayedPayouts = (db: Reader): Promise<number> => countDelayed(db, 'payout', maxCounted)
