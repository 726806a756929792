import type { Rail } from '@pesewa/connector-kit'
import { acquirer } from './protocol.ts'

export const rail: Rail = {
  ...acquirer,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
