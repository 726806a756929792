import type { Rail } from '@pesewa/connector-kit'
import { rest } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...rest,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
