import type { Rail } from '@pesewa/connector-kit'
import { paystack } from './protocol.ts'
import providers from './providers.json' with { type: 'json' }

export const rail: Rail = {
  ...paystack,
  ...providers,
  simulator: async () => (await import('./simulator/rail.ts')).simulatedRail,
}
