import type { Database, Reader } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Log } from '../../platform/log.ts'
import { repeat, type StopRepeating } from '../../platform/repeat.ts'
import type { ConnectionQueue } from '../connections/queues.ts'
import type { Traffic } from './traffic.ts'

const writeEveryMs = 5_000 // maximum time until a node's open circuit breakers appear in the operator’s list

/** An open circuit breaker on a node, and the time until which it stays open. */
export type OpenBreaker = ConnectionQueue & { until: Date }

/**
 * Stores this node's open breakers of live connections in the database, for CLI commands, which run outside the
 * node.
 */
export const startStoringOpenBreakers = (
  { db, log }: { db: Database; log: Log },
  traffic: Traffic,
): StopRepeating =>
  repeat(writeEveryMs, log, async () => {
    for (const { environment, connection, providerId, kind, openForMs } of traffic.openBreakers())
      await db.transaction((tx) =>
        tx.run(sql`
          insert into open_breakers as kept (environment, connection, provider_id, kind, until)
          values (${environment}, ${connection}, ${providerId}, ${kind},
            ${realNow} + ${openForMs}::float8 * interval '1 millisecond')
          on conflict (environment, connection, provider_id, kind) do update
          set until = greatest(kept.until, excluded.until)`),
      )
  })

export const selectOpenBreakers = (db: Reader) =>
  db.query<OpenBreaker>(sql`
    select environment, connection, provider_id, kind, until from open_breakers where until > ${realNow}`)
