import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { repeat, type StopRepeating } from '../platform/repeat.ts'
import { isDatabaseBusy, keepPosition, keepState, lockState, lookForWork, notify } from './sequence-store.ts'
import { createPace, maxRowsOfRound, type RoundLimits } from './sequencer-pace.ts'
import { tellBacklog, tellFresh } from './telling-store.ts'

/** Where nodes hear of new events: `<environment> <Space>`, separated by commas; empty: of any Space. */
export const eventsChannel = 'events'

const lookEveryMs = 25
/** To meet a fact is quick: however much one Space writes, the others' facts behind it are soon reached. */
const factsMetForEachRow = 4
// PostgreSQL takes less than 8000 bytes.
const maxPayload = 7_000

/**
 * Gives events their place in the sequence, after the commit of their fact: a reader never sees n + 1 before n, and a
 * slow transaction holds up nobody. Any number of nodes may try; one at a time does.
 */
export function startSequencer(db: Database, log: Log): StopRepeating {
  const pace = createPace()
  return repeat(lookEveryMs, log, () => pace.round((limits) => tellNext(db, limits)))
}

/** `isMore`: there is more to tell. `isBusy`: others were at work in the database while the backlog was told. */
export type Telling = { isMore: boolean; isBusy: boolean }

/** Tells what waits, up to a limit: first what is new, and of the backlog once all that is new is met. */
export async function tellNext(
  db: Database,
  { maxRows, isBacklogResting }: RoundLimits = { maxRows: maxRowsOfRound, isBacklogResting: false },
): Promise<Telling> {
  const nothingToDo = { isMore: false, isBusy: false }
  const look = await lookForWork(db)
  const isBacklogsTurn = look.isBacklogWaiting && !isBacklogResting
  if (!look.isFresh && !isBacklogsTurn) return nothingToDo
  return db.transaction(async (tx) => {
    const state = await lockState(tx)
    if (!state) return nothingToDo
    const maxFacts = maxRows * factsMetForEachRow
    const fresh = look.isFresh ? await tellFresh(tx, state, maxFacts, maxRows) : undefined
    const isAllMet = !fresh || fresh.facts < maxFacts
    if (fresh) await keepState(tx, look, state, fresh, isAllMet)
    const position = state.position + (fresh?.events ?? 0n)
    const behind = isBacklogsTurn && isAllMet ? await tellBacklog(tx, position, maxRows) : undefined
    if (behind) await keepPosition(tx, position + behind.events)
    const scopes = [...new Set([...(fresh?.scopes ?? []), ...(behind?.scopes ?? [])])].join()
    if (scopes) await notify(tx, eventsChannel, scopes.length > maxPayload ? '' : scopes)
    return {
      isMore: !isAllMet || isBacklogsTurn || (fresh !== undefined && fresh.putOff > 0 && !isBacklogResting),
      isBusy: behind !== undefined && (await isDatabaseBusy(tx)),
    }
  })
}
