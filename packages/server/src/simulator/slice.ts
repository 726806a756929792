import type { Simulator } from './simulator.ts'

export const slice = {
  folder: 'simulator',
  tables: [
    'simulator_collections',
    'simulator_disbursements',
    'simulator_outcomes',
    'simulator_callbacks',
    'simulator_bill_addresses',
    'simulator_handsets',
    'simulator_financial_transactions',
  ],
  routes: async ({ simulator }: { simulator: Simulator }) => simulator.routes,
  jobs: async ({ simulator }: { simulator: Simulator }) => ({ 'simulator.forget': () => simulator.forget() }),
  calendar: { '47 * * * *': 'simulator.forget' },
}
