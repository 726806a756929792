import type { Rail } from '@pesewa/connector-kit'
import { mtnMomo } from './protocol.ts'

export const rail: Rail = {
  ...mtnMomo,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
