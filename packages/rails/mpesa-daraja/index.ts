import type { Rail } from '@pesewa/connector-kit'
import { mpesaDaraja } from './protocol.ts'

export const rail: Rail = {
  ...mpesaDaraja,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
