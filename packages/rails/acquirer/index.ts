import type { Rail } from '@pesewa/connector-kit'
import { acquirer } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...acquirer,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
