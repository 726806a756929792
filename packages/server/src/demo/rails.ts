import type { Failure } from '@pesewa/connector-kit'
import { must, toMajorUnits } from '@pesewa/values'
import type { Tx } from '../platform/db/database.ts'
import type { Admit } from '../rails/instructions/instructions.ts'
import { withState } from '../rails/instructions/instructions.ts'
import { billReferenceOf, firstQueryOf, revisionOf } from '../rails/instructions/rail-calls.ts'
import { record } from '../rails/instructions/recording.ts'
import { instructionSeal } from '../rails/instructions/seals.ts'
import { type Instruction, type InstructionKey, lockInstructions } from '../rails/instructions/store.ts'
import {
  insertPastRequests,
  type PastRequest,
  reserveTransactions,
} from '../simulator/engine/past-requests.ts'
import type { Parts } from '../slices.ts'
import type { Customer } from './shop.ts'

/** How a rail ended an instruction: it moved the money, or it failed for a reason, with the simulator's word. */
export type End = InstructionKey & {
  at: Date
  decline?: { word: string; failure: Failure }
  card?: Customer['card']
  /** True if the rail reports money for an instruction that has already failed. */
  isLate?: boolean
}

const reservedAtOnce = 200

/**
 * The rails of the demo's past. Instructions are submitted the moment they are created, and end when the demo
 * says so. Both are recorded as for any instruction, and the simulated rails know about all of them.
 */
export class PastRails {
  readonly #parts: Parts
  readonly #requests = new Map<string, PastRequest>()
  #transactions: bigint[] = []
  #disbursements: InstructionKey[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Submits an instruction through the first connection of its provider. */
  readonly admit: Admit = (_tx, instruction) => {
    const { id, kind, providerId, scope, createdAt } = instruction
    if (kind === 'disburse') this.#disbursements.push({ scope, id })
    const [route] = this.#parts.connectors.findRoutes(providerId, scope.environment)
    const { connection } = must(route, 'connection of a provider')
    const submitting: Instruction = {
      ...withState(instruction, 'submitting'),
      connection,
      submittedAt: createdAt,
    }
    const leaving = {
      ...submitting,
      billReference: billReferenceOf(this.#parts, submitting),
      revision: revisionOf(this.#parts, submitting),
      dueAt: firstQueryOf(this.#parts, submitting, createdAt),
    }
    return { ...leaving, seal: instructionSeal(this.#parts.seals, leaving) }
  }

  /**
   * Records the ends of instructions, in order of time. Outcomes that are recorded together are booked in the
   * order of the ids, so an instruction that overtook an earlier one is recorded first.
   */
  async end(tx: Tx, ends: End[]): Promise<void> {
    const runs: End[][] = []
    for (const end of ends.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
      const last = runs.at(-1)?.at(-1)
      if (last && last.id < end.id) runs.at(-1)?.push(end)
      else runs.push([end])
    }
    for (const run of runs) await this.#endTogether(tx, run)
  }

  async #endTogether(tx: Tx, inOrder: End[]): Promise<void> {
    const instructions = new Map((await lockInstructions(tx, inOrder)).map((one) => [one.id, one]))
    const updates = []
    for (const end of inOrder) {
      const instruction = must(instructions.get(end.id), 'instruction to end')
      const transaction = end.decline ? null : await this.#nextTransaction(tx)
      this.#requests.set(end.id, this.#requestOf(instruction, end, transaction))
      const { amount, currency } = instruction
      updates.push({
        instruction,
        at: end.at,
        source: 'report' as const,
        result: end.decline
          ? { outcome: 'refused' as const, ...end.decline.failure }
          : {
              outcome: 'done' as const,
              railTransaction: String(transaction),
              ...{ amount, currency },
              ...(end.card && { card: end.card }),
            },
      })
    }
    await record(tx, this.#parts, updates)
  }

  /** Returns the payouts that were submitted since the last call. */
  takeDisbursements(): InstructionKey[] {
    return this.#disbursements.splice(0)
  }

  /** Tells the simulated rails about everything that they did. */
  report(tx: Tx, now: Date): Promise<void> {
    return insertPastRequests(tx, [...this.#requests.values()], now)
  }

  async #nextTransaction(tx: Tx): Promise<bigint> {
    if (this.#transactions.length === 0) this.#transactions = await reserveTransactions(tx, reservedAtOnce)
    return must(this.#transactions.shift(), 'reserved transaction')
  }

  #requestOf(instruction: Instruction, { at, decline, card }: End, transaction: bigint | null): PastRequest {
    const { kind, providerId, reference, amount, currency, orderNumber, description, original } = instruction
    const { protocol } = must(this.#parts.catalogue.find(providerId), 'provider')
    const account = (instruction.account ?? '').replace(/^\+/, '')
    const isCollection = kind === 'collect'
    return {
      kind: isCollection ? 'collection' : 'disbursement',
      request: {
        ...{ providerId, protocol, reference, currency, payerMessage: description },
        amount: toMajorUnits(amount, currency),
        amountMinor: amount,
        externalId: orderNumber ?? reference,
        ...(isCollection
          ? { payer: account, returnUrl: instruction.returnUrl }
          : { payee: account, refundOf: kind === 'refund' ? original?.reference : null }),
      },
      endedAt: at,
      reason: decline?.word ?? null,
      transaction,
      ...(card && { card }),
    }
  }
}
