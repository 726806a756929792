import type { ConnectionQueue } from '@pesewa/connector-kit'
import { startStopwatch } from '@pesewa/values'
import type { Database, HomeTx } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import { startRounds } from '../../platform/repeat.ts'
import type { PauseScope } from './pause-scope.ts'
import { endPause, insertPause, type Pause, selectPauses } from './store.ts'

export type Pauses = {
  /** Returns the pause that currently applies to this connection, or `undefined` if there is none. */
  find(queue: ConnectionQueue): Pause | undefined
  stop(): Promise<void>
}

const channel = 'connection_pauses'
const readEveryMs = 15_000 // how long a node may take to notice a pause if it misses the notification
const maxWordsLength = 200 // limit: length of a pause's message to payers
const maxActorLength = 100 // maximum length of the name of the person who paused a connection

/** Loads all current pauses into this node's memory and keeps them up to date. */
export async function openPauses({ db, log }: { db: Database; log: Log }): Promise<Pauses> {
  const read = async () => {
    const elapsedMs = startStopwatch()
    return { pauses: await selectPauses(db), elapsedMs }
  }
  let latest = await read()
  const rounds = startRounds({ everyMs: readEveryMs, log }, async () => {
    latest = await read()
  })
  const isOver = ({ endsInMs }: Pause) => endsInMs !== null && latest.elapsedMs() >= endsInMs
  const stopHearing = await db.onWake(channel, () => rounds.wake())
  return {
    find: ({ environment, connection, providerId, kind }) =>
      latest.pauses.find(
        (pause) =>
          !isOver(pause) &&
          pause.environment === environment &&
          pause.connection === connection &&
          (pause.providerId ?? providerId) === providerId &&
          pause.direction === (kind === 'collect' ? 'collect' : 'pay_out'),
      ),
    async stop() {
      stopHearing()
      await rounds.stop()
    },
  }
}

/** An object without any pauses. CLI commands use it, because they send nothing to rails. */
export const noPauses: Pauses = { find: () => undefined, stop: async () => {} }

/**
 * Pauses a connection. All nodes apply the pause within seconds.
 *
 * @param lastingMs milliseconds after which the pause ends automatically; if `null`, it lasts until an operator
 * resumes the connection
 * @throws Refusal `arguments_invalid`; `state_conflict` if the connection is already paused
 */
export async function pause(
  tx: HomeTx,
  scope: PauseScope,
  { words, by, lastingMs = null }: { words: string; by: string; lastingMs?: number | null },
): Promise<void> {
  const issues = new Issues()
  if (!isWithin(words, maxWordsLength))
    issues.add('words', `must be 1 to ${maxWordsLength} characters on one line`)
  if (!isWithin(by, maxActorLength)) issues.add('by', `must be 1 to ${maxActorLength} characters`)
  issues.refuse()
  if (!(await insertPause(tx, scope, { words: words.trim(), by: by.trim(), lastingMs })))
    throw new Refusal('state_conflict', { message: 'The connection is already paused.' })
  tx.wake(channel)
}

/**
 * Ends those of these pauses that are in effect, and returns them.
 *
 * @throws Refusal `state_conflict` if none is
 */
export async function resume(tx: HomeTx, scopes: PauseScope[], by: string): Promise<PauseScope[]> {
  const resumed: PauseScope[] = []
  for (const scope of scopes) if (await endPause(tx, scope, by.trim())) resumed.push(scope)
  if (resumed.length === 0) throw new Refusal('state_conflict', { message: 'The connection is not paused.' })
  tx.wake(channel)
  return resumed
}

const isWithin = (text: string, max: number) =>
  text.trim().length > 0 && [...text.trim()].length <= max && !/\p{Cc}/u.test(text)
