import type { Simulator } from './simulator.ts'

type Parts = { simulator: Simulator }

export const slice = {
  name: 'simulator',
  routes: async ({ simulator }: Parts) => simulator.routes,
  jobs: async ({ simulator }: Parts) => ({ 'simulator.forget': () => simulator.forget() }),
  calendar: { '47 * * * *': 'simulator.forget' },
}
