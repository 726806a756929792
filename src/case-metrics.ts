import { Gauge, type Registry } from 'prom-client'
import { openCases } from './ledger/cases.ts'
import type { Database } from './platform/db/database.ts'

/** Every node shows how many cases wait, whichever node opened them. */
export function showOpenCases(db: Database, registry: Registry): void {
  new Gauge({
    name: 'pesewa_cases_open',
    help: 'Cases of all Spaces that wait for a person, counted to ten thousand.',
    registers: [registry],
    async collect() {
      // While the database is away the other metrics must still be shown, and this one as it was last.
      const open = await openCases(db).catch(() => undefined)
      if (open !== undefined) this.set(open)
    },
  })
}
