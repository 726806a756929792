import { Gauge, type Registry } from 'prom-client'
import { countUntold, countWaitingDeliveries } from './events/waiting.ts'
import { delayedPayouts } from './instructions/resolving.ts'
import { openCaseCount } from './ledger/cases.ts'

import type { Database, Reader } from './platform/db/database.ts'
import { selectOldestJob } from './platform/jobs/queue.ts'

/** Every node shows what waits, for a person or for a node that works, of all Spaces, whichever node began it. */
export function showWaiting(db: Database, registry: Registry): void {
  const show = (name: string, help: string, count: (db: Reader) => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // While the database is away the other metrics must still be shown, and this one as it was last.
        const waiting = await count(db).catch(() => undefined)
        if (waiting !== undefined) this.set(waiting)
      },
    })
  show('pesewa_cases_open', 'Cases that nobody has closed, counted to ten thousand.', openCaseCount)
  show(
    'pesewa_payouts_delayed',
    'Payouts whose provider has not told for ten minutes what became of them, counted to ten thousand.',
    delayedPayouts,
  )
  show('pesewa_events_untold', 'Facts that have no event yet, counted to a hundred thousand.', countUntold)
  show(
    'pesewa_deliveries_waiting',
    'Deliveries that wait to be sent or tried again, counted to a hundred thousand.',
    countWaitingDeliveries,
  )
  show(
    'pesewa_job_oldest_seconds',
    'How long the oldest background job that is due has been waiting to be taken.',
    async (db) => (await selectOldestJob(db))?.waitingSeconds ?? 0,
  )
}
