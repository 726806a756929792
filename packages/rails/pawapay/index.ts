import type { Rail } from '@pesewa/connector-kit'
import { pawapay } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...pawapay,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
