import type { Rail } from '@pesewa/connector-kit'
import { gsma } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...gsma,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
