import assert from 'node:assert/strict'
import type { Tx } from '../platform/db/database.ts'
import { nameIn } from '../platform/db/scoped.ts'
import { must } from '../platform/must.ts'
import type { Scope } from '../platform/scope.ts'
import { wakeFor } from './lane-names.ts'
import { canMove, type InstructionState } from './states.ts'
import { type Instruction, type InstructionKey, lockInstructions, writeInstructions } from './store.ts'

/** What a provider is to do, under a reference that is in the books of no other. */
export type NewInstruction = Pick<
  Instruction,
  | 'scope'
  | 'id'
  | 'kind'
  | 'providerId'
  | 'amount'
  | 'currency'
  | 'account'
  | 'reference'
  | 'description'
  | 'createdAt'
> &
  Partial<Pick<Instruction, 'orderNumber' | 'returnUrl'>>

/**
 * A new instruction as it is to be written in this transaction: `submitting` where its lane has room and nobody waits for
 * it, and then it is sent as soon as the transaction has committed; else unchanged.
 */
export type TakeUp = (tx: Tx, instruction: Instruction) => Instruction

/**
 * Gives instructions to providers, and returns the ids of those that are submitted as soon as the transaction has
 * committed; the others wait for their turn.
 */
export async function instruct(
  tx: Tx,
  { takeUp }: { takeUp: TakeUp },
  orders: NewInstruction[],
): Promise<Set<string>> {
  if (orders.length === 0) return new Set()
  const instructions = orders.map((one) =>
    takeUp(tx, { orderNumber: null, returnUrl: null, ...one, ...notSent }),
  )
  await writeInstructions(tx, instructions)
  const leaving = new Set<string>()
  for (const one of instructions)
    if (one.state === 'created') wakeFor(tx, one)
    else leaving.add(one.id)
  return leaving
}

const notSent = {
  state: 'created',
  providerReference: null,
  revision: null,
  submittedAt: null,
  delayedAt: null,
  dueAt: null,
  look: null,
} as const

/**
 * Withdraws an instruction that was not submitted. Returns whether it could: one that is not there was never made. To be
 * called before its object is locked.
 */
export async function withdraw(tx: Tx, scope: Scope, id: string): Promise<boolean> {
  const [instruction] = await lockInstructions(tx, [{ scope, id }])
  if (!instruction) return true
  if (instruction.state !== 'created')
    return instruction.state === 'failed' && instruction.submittedAt === null
  await writeInstructions(tx, [moved(instruction, 'failed')])
  return true
}

/** The instruction as it is after a step, which its state must allow. */
export function moved(instruction: Instruction, state: InstructionState): Instruction {
  assert(canMove(instruction.state, state), `${instruction.state} does not become ${state}`)
  return { ...instruction, state }
}

/** Whether the rail can still say something new of it. */
export const isAskable = ({ state, submittedAt }: Instruction) =>
  submittedAt !== null && state !== 'succeeded'

/** Has the outcomes of these queried now instead of later, as far as their rails can still say something new. */
export async function askNow(tx: Tx, keys: (InstructionKey & { at: Date })[]): Promise<void> {
  const at = new Map(keys.map((key) => [nameIn(key.scope, key.id), key.at]))
  const locked = await lockInstructions(tx, keys)
  const due = locked.filter(isAskable)
  await writeInstructions(
    tx,
    due.map((instruction) => {
      const now = must(at.get(nameIn(instruction.scope, instruction.id)), 'time to ask')
      const { dueAt } = instruction
      return { ...instruction, dueAt: dueAt !== null && dueAt < now ? dueAt : now }
    }),
  )
  for (const instruction of due) wakeFor(tx, instruction, instruction.id)
}
