import type { Rail } from '@pesewa/connector-kit'
import { airtelMoney } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...airtelMoney,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
