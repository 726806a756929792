import type { Rail } from '@pesewa/connector-kit'
import { rest } from './protocol.ts'

export const rail: Rail = {
  ...rest,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
