import type { ConnectionQueue } from '@pesewa/connector-kit'
import type { Instruction } from './store.ts'

/**
 * Returns the route of an instruction. `connection` is empty for an instruction that was sent before
 * connections had names.
 */
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
