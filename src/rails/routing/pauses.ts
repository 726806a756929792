import { randomUUID } from 'node:crypto'
import type { ConnectionQueue } from '@pesewa/connector-kit'
import { startStopwatch } from '@pesewa/values'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Log } from '../../platform/log.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import { startRounds } from '../../platform/repeat.ts'
import type { Environment } from '../../platform/scope.ts'

/** A pause in the direction `pay_out` also applies to refunds. */
export const pauseDirections = ['collect', 'pay_out'] as const
export type PauseDirection = (typeof pauseDirections)[number]

/** What a pause applies to: a connection, with one or all of its providers. */
export type PauseScope = {
  environment: Environment
  connection: string
  providerId: string | null
  direction: PauseDirection
}

/** A pause, during which a connection takes no new instructions. `words` is the message shown to payers. */
export type Pause = PauseScope & {
  words: string
  pausedBy: string
  pausedAt: Date
  /**
   * When the pause ends automatically; `null` if it does not. `endsInMs`: how much time was left when the pause
   * was read.
   */
  endsAt: Date | null
  endsInMs: number | null
}

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

export const selectPauses = (db: Reader) =>
  db.query<Pause>(sql`
    select environment, connection, provider_id, direction, words, paused_by, paused_at, ends_at,
      (extract(epoch from ends_at - ${realNow}) * 1000)::float8 as ends_in_ms
    from connection_pauses where resumed_at is null and (ends_at is null or ends_at > ${realNow})
    order by paused_at`)

/**
 * Pauses a connection. All nodes apply the pause within seconds.
 *
 * @param lastingMs milliseconds after which the pause ends automatically; if `null`, it lasts until an operator
 * resumes the connection
 * @throws Refusal `arguments_invalid`; `state_conflict` if the connection is already paused
 */
export async function pause(
  tx: Tx,
  { environment, connection, providerId, direction }: PauseScope,
  { words, by, lastingMs = null }: { words: string; by: string; lastingMs?: number | null },
): Promise<void> {
  const issues = new Issues()
  if (!isWithin(words, maxWordsLength))
    issues.add('words', `must be 1 to ${maxWordsLength} characters on one line`)
  if (!isWithin(by, maxActorLength)) issues.add('by', `must be 1 to ${maxActorLength} characters`)
  issues.refuse()
  await tx.run(sql`
    update connection_pauses set resumed_by = 'automatic end', resumed_at = ends_at
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
  if (count === 0) throw new Refusal('state_conflict', { message: 'The connection is already paused.' })
  tx.wake(channel)
}

/**
 * Resumes a paused connection.
 *
 * @throws Refusal `state_conflict` if the connection is not paused
 */
export async function resume(
  tx: Tx,
  { environment, connection, providerId, direction }: PauseScope,
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
  if (count === 0) throw new Refusal('state_conflict', { message: 'The connection is not paused.' })
  tx.wake(channel)
}

const isWithin = (text: string, max: number) =>
  text.trim().length > 0 && [...text.trim()].length <= max && !/\p{Cc}/u.test(text)
