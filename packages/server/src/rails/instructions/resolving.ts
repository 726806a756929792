import { readNow } from '../../platform/clock.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusals.ts'
import { type Decider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
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

/** The outcome that an operator determined because the rail did not report it. */
export type Resolution = 'completed' | 'failed'

const resolvableAfterMs = 86_400_000 // limit: time until a payment, payout or refund can be resolved by hand

/**
 * Sets the outcome that an operator has determined for a payment, payout or refund. The rail is queried again
 * later, as it is after every failure. If its answer contradicts the operator's outcome, a case is opened.
 *
 * @throws Refusal `not_found`; `state_conflict` if the object already has an outcome, was not sent, or was sent
 * within the last day
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
    throw new Refusal('not_found', { message: `This ${ownerType} does not exist or has not been sent yet.` })
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
  return { outcome: 'refused', code: 'unknown', message: resolvedFailureMessages[ownerType] }
}

const resolvedFailureMessages = {
  payment: 'The provider did not collect the money.',
  payout: 'The provider did not pay out the money.',
  refund: 'The provider did not return the money.',
} as const

function refuseUnlessResolvable({ ownerType, state, submittedAt }: Instruction, at: Date): void {
  if (state === 'created') throw conflict(`This ${ownerType} has not been sent yet.`)
  if (!isOpen(state) || !submittedAt)
    throw conflict(`This ${ownerType} is already ${state === 'succeeded' ? 'completed' : 'failed'}.`)
  const from = resolvableFrom({ submittedAt })
  if (at < from)
    throw conflict(
      `The provider is still being queried for the outcome. This ${ownerType} can be resolved manually from ${from.toISOString()}, by its Space’s clock.`,
    )
}

const conflict = (message: string) => new Refusal('state_conflict', { message })

/** Returns the time from which an instruction can be resolved by hand, by the Space's clock. */
export const resolvableFrom = ({ submittedAt }: { submittedAt: Date }) =>
  new Date(submittedAt.getTime() + resolvableAfterMs)

const maxListed = 1_000 // maximum number of payments, payouts and refunds without a known outcome that are listed

/**
 * Lists the payments, payouts or refunds in all Spaces whose outcome is not known, in the order in which they
 * were submitted.
 */
export const listUnknown = (db: Reader, ownerType: OwnerType): Promise<OpenInstruction[]> =>
  selectOpen(db, ownerType, maxListed)

const maxCounted = 10_000 // maximum number of delayed payouts that the metrics count

/** Counts the payouts in all Spaces that are delayed and have no outcome yet. */
export const delayedPayouts = (db: Reader): Promise<number> => countDelayed(db, 'payout', maxCounted)
