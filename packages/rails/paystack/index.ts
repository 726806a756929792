import type { Rail } from '@pesewa/connector-kit'
import { paystack } from './protocol.ts'

export const rail: Rail = {
  ...paystack,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
