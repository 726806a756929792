import type { Rail } from '@pesewa/connector-kit'
import { gsma } from './protocol.ts'

export const rail: Rail = {
  ...gsma,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
