import type { RoadLane } from '../providers/lane.ts'
import type { Instruction } from './store.ts'

/** Returns the route of an instruction. Instructions sent before connections had names have an empty one. */
export const roadOf = ({ kind, scope: { environment }, providerId, connection }: Instruction): RoadLane => ({
  kind,
  environment,
  providerId,
  connection: connection ?? '',
})
