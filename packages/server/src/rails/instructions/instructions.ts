import assert from 'node:assert/strict'
import { must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import { globalName } from '../../platform/db/scoped.ts'
import type { Scope } from '../../platform/scope.ts'
import { wakeFor } from './rail-queue.ts'
import { canMove, type InstructionState } from './states.ts'
import {
  type Instruction,
  type InstructionKey,
  lockInstructions,
  selectInstructions,
  writeInstructions,
} from './store.ts'
import { traceNew } from './traces.ts'

const notSubmitted = {
  state: 'created',
  billReference: null,
  providerReference: null,
  revision: null,
  submittedAt: null,
  delayedAt: null,
  dueAt: null,
  look: null,
  seal: null,
} as const

const rarelySet = { orderNumber: null, returnUrl: null, original: null, connection: null } as const

/**
 * An instruction that is about to be created. An instruction is an order that is sent to a provider under a
 * unique reference.
 */
export type NewInstruction = Omit<Instruction, keyof typeof notSubmitted | keyof typeof rarelySet> &
  Partial<Pick<Instruction, keyof typeof rarelySet>>

/**
 * Returns a new instruction as it should be written in this transaction. If its queue is empty and has
 * capacity, the instruction is `submitting` and is sent immediately after the commit; otherwise, it is returned
 * unchanged.
 */
export type Admit = (tx: Tx, instruction: Instruction) => Instruction

/**
 * Creates instructions. Returns the ids of those that are sent immediately after the commit. The others are
 * queued.
 */
export function instruct(tx: Tx, { admit }: { admit: Admit }, orders: NewInstruction[]): Set<string> {
  if (orders.length === 0) return new Set()
  const instructions = orders.map((order) => admit(tx, { ...rarelySet, ...order, ...notSubmitted }))
  writeInstructions(tx, instructions)
  traceNew(instructions, tx.onEnd)
  const isWaiting = ({ state }: Instruction) => state === 'created'
  for (const waiting of instructions.filter(isWaiting)) wakeFor(tx, waiting)
  return new Set(instructions.filter((one) => !isWaiting(one)).map(({ id }) => id))
}

/**
 * Admits the instruction of a manual payment. The payer has already paid, so there is nothing to submit, and
 * the outcome is recorded in the same transaction.
 */
export const admitHandMade =
  (connection: string): Admit =>
  (_tx, instruction) => ({
    ...withState(withState(instruction, 'submitting'), 'submitted'),
    connection,
    submittedAt: instruction.createdAt,
  })

/**
 * Withdraws an instruction that has not been submitted. Returns whether it could be withdrawn. Also returns
 * true if it was never created. Call this function before the owner is locked.
 */
export async function withdraw(tx: Tx, scope: Scope, id: string): Promise<boolean> {
  const [instruction] = await lockInstructions(tx, [{ scope, id }])
  if (!instruction) return true
  if (instruction.state !== 'created')
    return instruction.state === 'failed' && instruction.submittedAt === null
  writeInstructions(tx, [withState(instruction, 'failed')])
  return true
}

/**
 * Returns the name of the connection through which each instruction was submitted; `null` stands for the
 * provider's first connection.
 */
export async function findConnections(tx: Tx, keys: InstructionKey[]): Promise<Map<string, string | null>> {
  const instructions = await selectInstructions(tx, keys)
  return new Map(instructions.map(({ scope, id, connection }) => [globalName(scope, id), connection]))
}

/** Returns the instruction in its next state. The transition from its current state must be allowed. */
export function withState(instruction: Instruction, state: InstructionState): Instruction {
  assert(canMove(instruction.state, state), `${instruction.state} cannot become ${state}`)
  return { ...instruction, state }
}

/** Returns whether the rail can still report anything new about an instruction. */
export const isQueryable = ({ state, submittedAt }: Instruction) =>
  submittedAt !== null && state !== 'succeeded'

/** Makes the next query of each instruction due now, if its rail can still report anything new. */
export async function queryNow(tx: Tx, keys: (InstructionKey & { at: Date })[]): Promise<void> {
  const nowOf = new Map(keys.map((key) => [globalName(key.scope, key.id), key.at]))
  const queryable = (await lockInstructions(tx, keys)).filter(isQueryable)
  const due = queryable.map((instruction) => {
    const now = must(nowOf.get(globalName(instruction.scope, instruction.id)), 'time of a query')
    const { dueAt } = instruction
    return { ...instruction, dueAt: dueAt !== null && dueAt < now ? dueAt : now }
  })
  writeInstructions(tx, due)
  for (const instruction of due) wakeFor(tx, instruction, instruction.id)
}
