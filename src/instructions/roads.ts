import type { RoadLane } from '../providers/lane.ts'
import type { Instruction } from './store.ts'

/** The road that an instruction has taken; of what was sent before connections had names, one without a name. */
export const roadOf = ({ kind, scope: { environment }, providerId, connection }: Instruction): RoadLane => ({
  kind,
  environment,
  providerId,
  connection: connection ?? '',
})
