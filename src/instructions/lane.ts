import type { Tx } from '../platform/db/database.ts'
import { isEnvironment } from '../platform/scope.ts'
import { nameOf, type RailLane, railKinds } from '../providers/lane.ts'
import type { Instruction, LaneWork } from './store.ts'

export const maxClaimed = 200 // limit: instructions claimed from a lane in one transaction
/** How long a lane waits at most while its rail rests: what waits may have been withdrawn, and the node may stop. */
export const longestWaitMs = 1_000

/** Wakes lanes: `<kind> <environment> <provider> <Space>`, and the instruction to query. */
export const instructionsChannel = 'instructions'

/** Wakes a lane once the transaction has committed: something waits there, or `id` is to be queried. */
export const wakeFor = (tx: Tx, instruction: Instruction, id?: string) =>
  tx.wake(
    instructionsChannel,
    [nameOf(laneOf(instruction)), instruction.scope.spaceId, ...(id ? [id] : [])].join(' '),
  )

export const laneOf = ({ kind, providerId, scope: { environment } }: Instruction): RailLane => ({
  kind,
  environment,
  providerId,
})

/** What a wake is about; `undefined` where it may be about anything. */
export function readWake(text: string | undefined): LaneWork | undefined {
  const [kind, environment, providerId, spaceId, id = null] = text?.split(' ') ?? []
  const railKind = railKinds.find((name) => name === kind)
  if (!railKind || !isEnvironment(environment) || !providerId || !spaceId) return undefined
  return { kind: railKind, environment, providerId, spaceId, id }
}
