import type { Rail } from '@pesewa/connector-kit'
import { mtnMomo } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...mtnMomo,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
