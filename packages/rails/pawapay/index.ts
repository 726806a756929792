import type { Rail } from '@pesewa/connector-kit'
import { pawapay } from './protocol.ts'

export const rail: Rail = {
  ...pawapay,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
