import type { Tx } from '../platform/db/database.ts'
import { nameOf, type RailLane } from '../providers/lane.ts'
import type { Instruction } from './store.ts'

/** Wakes lanes: `<kind> <environment> <provider> <Space>`, and the instruction to query. */
export const instructionsChannel = 'instructions'

/** Wakes a lane once the transaction has committed: something waits there, or `id` is to be queried. */
export const wakeFor = (tx: Tx, about: Pick<Instruction, 'scope' | 'kind' | 'providerId'>, id?: string) =>
  tx.wake(instructionsChannel, [nameOf(laneOf(about)), about.scope.spaceId, ...(id ? [id] : [])].join(' '))

export const laneOf = ({
  kind,
  providerId,
  scope,
}: Pick<Instruction, 'scope' | 'kind' | 'providerId'>): RailLane => ({
  kind,
  providerId,
  environment: scope.environment,
})

/** What a wake is about, or nothing where anything may be. */
export function readWake(
  about: string | undefined,
): (RailLane & { spaceId: string; id: string | null }) | undefined {
  const [kind, environment, providerId, spaceId, id = null] = about?.split(' ') ?? []
  if (kind !== 'collect' && kind !== 'disburse') return undefined
  if ((environment !== 'test' && environment !== 'live') || !providerId || !spaceId) return undefined
  return { kind, environment, providerId, spaceId, id }
}
