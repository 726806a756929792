import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { repeat, type StopRepeating } from '../../platform/repeat.ts'
import { upsertOpenBreaker } from './store.ts'
import type { Traffic } from './traffic.ts'

const writeEveryMs = 5_000 // maximum time until a node's open circuit breakers appear in the operator’s list

/**
 * Stores this node's open breakers of live connections in the database, for CLI commands, which run outside the
 * node.
 */
export const startStoringOpenBreakers = (
  { db, log }: { db: Database; log: Log },
  traffic: Traffic,
): StopRepeating =>
  repeat(writeEveryMs, log, async () => {
    for (const breaker of traffic.openBreakers()) await db.transaction((tx) => upsertOpenBreaker(tx, breaker))
  })
