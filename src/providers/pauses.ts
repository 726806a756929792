import { randomUUID } from 'node:crypto'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { realNow } from '../platform/db/real-time.ts'
import { sql } from '../platform/db/sql.ts'
import type { Log } from '../platform/log.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import { startRounds } from '../platform/repeat.ts'
import type { Environment } from '../platform/scope.ts'
import { startStopwatch } from '../platform/stopwatch.ts'
import type { RoadLane } from './lane.ts'

/** Refunds go out like what is paid out. */
export const pauseDirections = ['collect', 'pay_out'] as const
export type PauseDirection = (typeof pauseDirections)[number]

/** What is paused: a connection, for one of its providers or for all. */
export type PausePlace = {
  environment: Environment
  connection: string
  providerId: string | null
  direction: PauseDirection
}

/** A connection that takes nothing new for a while. `words`: for those who wait. */
export type Pause = PausePlace & {
  words: string
  pausedBy: string
  pausedAt: Date
  /** When it ends by itself, and how long that is from when it was read. */
  endsAt: Date | null
  endsInMs: number | null
}

export type Pauses = {
  /** The pause that stops what would leave by this connection now. */
  of(lane: RoadLane): Pause | undefined
  stop(): Promise<void>
}

const channel = 'connection_pauses'
const readEveryMs = 15_000 // limit: time until a node has heard of a pause that nobody announced
const maxWordsLength = 200 // limit: what payers read of a pause
const maxActorLength = 100 // limit: who paused a connection

/** Those in force, in the memory of this node. */
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
    of: ({ environment, connection, providerId, kind }) =>
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

/** For commands, which send nothing. */
export const noPauses: Pauses = { of: () => undefined, stop: async () => {} }

export const selectPauses = (db: Reader) =>
  db.query<Pause>(sql`
    select environment, connection, provider_id, direction, words, paused_by, paused_at, ends_at,
      (extract(epoch from ends_at - ${realNow}) * 1000)::float8 as ends_in_ms
    from connection_pauses where resumed_at is null and (ends_at is null or ends_at > ${realNow})
    order by paused_at`)

/**
 * Pauses a connection, on all nodes within seconds.
 *
 * @param lastingMs after which it ends by itself; `null`: when somebody resumes it
 * @throws Refusal `arguments_invalid`; `state_conflict` where it is paused already
 */
export async function pause(
  tx: Tx,
  { environment, connection, providerId, direction }: PausePlace,
  { words, by, lastingMs = null }: { words: string; by: string; lastingMs?: number | null },
): Promise<void> {
  const faults = new Faults()
  if (!isWithin(words, maxWordsLength))
    faults.add('words', `must have 1 to ${maxWordsLength} characters on one line`)
  if (!isWithin(by, maxActorLength)) faults.add('by', `must have 1 to ${maxActorLength} characters`)
  faults.refuse()
  await tx.run(sql`
    update connection_pauses set resumed_by = 'the end of its time', resumed_at = ends_at
    where resumed_at is null and ends_at <= ${realNow}`)
  const { count } = await tx.only<{ count: number }>(sql`
    with paused as (
      insert into connection_pauses
        (id, environment, connection, provider_id, direction, words, paused_by, paused_at, ends_at)
      values (${randomUUID()}, ${environment}, ${connection}, ${providerId}, ${direction}, ${words.trim()}, ${by.trim()},
        ${realNow}, ${realNow} + ${lastingMs}::float8 * interval '1 millisecond')
      on conflict do nothing returning id
    )
    select count(*)::int as count from paused`)
  if (count === 0) throw new Refusal('state_conflict', { message: 'It is paused already.' })
  tx.wake(channel)
}

/**
 * Ends a pause.
 *
 * @throws Refusal `state_conflict` where there is none
 */
export async function resume(
  tx: Tx,
  { environment, connection, providerId, direction }: PausePlace,
  by: string,
): Promise<void> {
  const { count } = await tx.only<{ count: number }>(sql`
    with resumed as (
      update connection_pauses set resumed_by = ${by.trim()}, resumed_at = ${realNow}
      where environment = ${environment} and connection = ${connection} and direction = ${direction}
        and provider_id is not distinct from ${providerId} and resumed_at is null
      returning id
    )
    select count(*)::int as count from resumed`)
  if (count === 0) throw new Refusal('state_conflict', { message: 'It is not paused.' })
  tx.wake(channel)
}

const isWithin = (text: string, max: number) =>
  text.trim().length > 0 && [...text.trim()].length <= max && !/\p{Cc}/u.test(text)
