import type { Rail } from '@pesewa/connector-kit'
import { mpesaDaraja } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...mpesaDaraja,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
