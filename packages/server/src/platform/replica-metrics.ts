import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from './db/database.ts'

/** Adds the metrics of the database's replicas, which stay empty without any. */
export function showReplicas({ replicas }: Pick<Database, 'replicas'>, registry: Registry): void {
  new Gauge({
    name: 'pesewa_replica_lag_bytes',
    help: 'How far each replica of DATABASE_READ_URL is behind the primary, in bytes of WAL.',
    labelNames: ['replica'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { name, lagBytes } of (await replicas?.states().catch(() => [])) ?? [])
        if (lagBytes !== undefined) this.set({ replica: name }, lagBytes)
    },
  })
  new Counter({
    name: 'pesewa_replica_reads_total',
    help: 'Reads that replicas may answer, by what answered them: a replica or the primary.',
    labelNames: ['by'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [by, count] of Object.entries(replicas?.counts ?? {})) this.inc({ by }, count)
    },
  })
}
