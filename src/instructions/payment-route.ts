import type { ConnectionQueue } from '../providers/queues.ts'
import type { Instruction } from './store.ts'

/** Returns the route of an instruction. An instruction sent before connections had names has an empty one. */
export const instructionRoute = ({
  kind,
  scope: { environment },
  providerId,
  connection,
}: Instruction): ConnectionQueue => ({
  kind,
  environment,
  providerId,
  connection: connection ?? '',
})
