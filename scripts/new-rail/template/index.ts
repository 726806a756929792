import type { Rail } from '@pesewa/connector-kit'
import { exampleRail } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...exampleRail,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
