import { queueName, type RailQueue, railKinds } from '@pesewa/connector-kit'
import type { Tx } from '../../platform/db/database.ts'
import { isEnvironment } from '../../platform/scope.ts'
import type { Instruction, QueueWork } from './store.ts'

export const maxClaimed = 200
/**
 * The longest time for which a queue sleeps while its breaker is open. It is short so that instructions can be
 * withdrawn and the node can stop.
 */
export const longestWaitMs = 1_000

/**
 * The channel that wakes queues. A message contains `<kind> <environment> <provider> <Space>` and, if an
 * instruction should be queried, its id.
 */
export const instructionsChannel = 'instructions'

/**
 * Wakes a queue after the transaction has been committed, because an instruction is waiting in it or because
 * the instruction `id` should be queried.
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

/** Parses the message that wakes a queue. Returns `undefined` if the message could concern any queue. */
export function readWake(text: string | undefined): QueueWork | undefined {
  const [kind, environment, providerId, spaceId, id = null] = text?.split(' ') ?? []
  const railKind = railKinds.find((name) => name === kind)
  if (!railKind || !isEnvironment(environment) || !providerId || !spaceId) return undefined
  return { kind: railKind, environment, providerId, spaceId, id }
}
