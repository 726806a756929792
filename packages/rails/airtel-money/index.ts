import type { Rail } from '@pesewa/connector-kit'
import { airtelMoney } from './protocol.ts'

export const rail: Rail = {
  ...airtelMoney,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
