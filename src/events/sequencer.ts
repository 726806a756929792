import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { repeat, type StopRepeating } from '../platform/repeat.ts'
import { keepState, lockState, lookForWork, notify, tellFacts } from './sequence-store.ts'

/** Where nodes hear of new events: `<environment> <Space>`, separated by commas; empty: of any Space. */
export const eventsChannel = 'events'

const lookEveryMs = 25
const maxFactsAtOnce = 2_000
// PostgreSQL takes less than 8000 bytes.
const maxPayload = 7_000

/**
 * Gives events their place in the sequence, after the commit of their fact: a reader never sees n + 1 before n, and a
 * slow transaction holds up nobody. Any number of nodes may try; one at a time does.
 */
export function startSequencer(db: Database, log: Log): StopRepeating {
  return repeat(lookEveryMs, log, () => tellNext(db))
}

/** Tells what waits, up to a limit. Answers whether more waits. */
export async function tellNext(db: Database, maxFacts = maxFactsAtOnce): Promise<boolean> {
  const look = await lookForWork(db)
  if (!look.isWorkWaiting) return false
  return db.transaction(async (tx) => {
    const state = await lockState(tx)
    if (!state) return false
    const round = await tellFacts(tx, state, maxFacts)
    const isDone = round.facts < maxFacts
    await keepState(tx, look, state, round, isDone)
    if (round.scopes) await notify(tx, eventsChannel, round.scopes.length > maxPayload ? '' : round.scopes)
    return !isDone
  })
}
