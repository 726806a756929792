import type { Tx } from '../platform/db/database.ts'
import { isEnvironment } from '../platform/scope.ts'
import { queueName, type RailQueue, railKinds } from '../providers/queues.ts'
import type { Instruction, QueueWork } from './store.ts'

export const maxClaimed = 200
/**
 * The longest pause of a queue while its breaker is open. In the meantime, its instructions can be withdrawn
 * and the node can stop.
 */
export const longestWaitMs = 1_000

/** Wakes queues: `<kind> <environment> <provider> <Space>`, and the id of the instruction to query. */
export const instructionsChannel = 'instructions'

/**
 * Wakes a queue once the transaction has committed: an instruction is waiting in it, or instruction `id` should
 * be queried.
 */
export const wakeFor = (tx: Tx, instruction: Instruction, id?: string) =>
  tx.wake(
    instructionsChannel,
    [queueName(queueOf(instruction)), instruction.scope.spaceId, ...(id ? [id] : [])].join(' '),
  )

export const queueOf = ({ kind, providerId, scope: { environment } }: Instruction): RailQueue => ({
  kind,
  environment,
  providerId,
})

/** Parses a wake-up; `undefined` if it could concern any queue. */
export function readWake(text: string | undefined): QueueWork | undefined {
  const [kind, environment, providerId, spaceId, id = null] = text?.split(' ') ?? []
  const railKind = railKinds.find((name) => name === kind)
  if (!railKind || !isEnvironment(environment) || !providerId || !spaceId) return undefined
  return { kind: railKind, environment, providerId, spaceId, id }
}
