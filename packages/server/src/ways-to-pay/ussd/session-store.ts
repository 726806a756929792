import { bigint, environment, integer, json, orNull, text, textOf } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { storedText, storedTexts } from '../../platform/db/encryption.ts'
import { sql } from '../../platform/db/sql.ts'
import { unnest } from '../../platform/db/unnest.ts'
import type { Environment } from '../../platform/scope.ts'
import { installationScope } from '../../tenants/spaces/chained-changes.ts'
import type { MenuLanguage } from './texts.ts'

/** The content of a phone's screen: either a menu that expects an input, or the final text. */
export type Reply = { text: string; ends: boolean }

export type SessionKey = {
  environment: Environment
  aggregator: string
  sessionId: string
  phoneNumber: string
}

/** The input that is expected: the digits of a code, an amount, or a choice. `over` means that none is expected. */
export type MenuStage = 'number' | 'amount' | 'confirm' | 'over'

/** State of a phone's USSD session. */
export type UssdSession = {
  stage: MenuStage
  number: string | null
  /** In minor units, as shown to the payer or typed by the payer. */
  amount: bigint | null
  language: MenuLanguage
  /** Replies that have been saved, by step. */
  answers: Record<string, Reply>
  /** Number of steps that have been handled. */
  turns: number
}

/**
 * Returns the reply that was saved for a step, or `undefined` if there is none. `step` identifies the step
 * within its session.
 */
export const replyTo = (session: UssdSession | undefined, step: string): Reply | undefined =>
  session && Object.hasOwn(session.answers, step) ? session.answers[step] : undefined

/** Returns the session for each key, in the order of the keys. */
export async function selectSessions(db: Reader, keys: SessionKey[]): Promise<(UssdSession | undefined)[]> {
  const rows = await db.query<UssdSession & { place: number }>(sql`
    select session.*, place
    from ${keyRows(keys.map((key, place) => ({ ...key, place })))}
    join ${phones(keys)} on phone.nth = requested.place + 1
    cross join lateral (
      select stage, number, amount, language, answers, turns from ussd_sessions
      where environment = requested.environment and aggregator = requested.aggregator
        and session_id = requested.session_id and phone_number = phone.stored
      offset 0
    ) session`)
  const byPlace = new Map(rows.map(({ place, ...session }) => [place, session]))
  return keys.map((_, place) => byPlace.get(place))
}

const placedKey = {
  place: integer,
  environment,
  aggregator: text,
  sessionId: text,
}
type PlacedKey = Omit<SessionKey, 'phoneNumber'> & { place: number }
const keyRows = unnest<PlacedKey>(placedKey)

/** A session's phone belongs to no Space, so its number is hashed alike for all of them. Nobody reads it. */
const scopedPhone = ({ environment, phoneNumber }: Pick<SessionKey, 'environment' | 'phoneNumber'>) => ({
  scope: installationScope(environment),
  value: phoneNumber,
})
const phones = (keys: SessionKey[]) =>
  sql`unnest(${storedTexts(keys.map(scopedPhone))}::text[]) with ordinality as phone (stored, nth)`

export const selectSession = async (db: Reader, key: SessionKey) => (await selectSessions(db, [key]))[0]

/**
 * Saves the state of each session after a step. Returns `false` for a session if another delivery of the same
 * step was first. A second delivery waits here until the first one has been committed. Rows are written in the
 * order of their keys to avoid deadlocks.
 */
export async function saveSessions(
  tx: Tx,
  taken: { key: SessionKey; session: UssdSession }[],
): Promise<boolean[]> {
  const kept = await tx.query<{ place: number }>(sql`
    with taken as (
      select requested.*, phone.stored as phone_number
      from ${sessionRows(taken.map(({ key, session }, place) => ({ ...key, ...session, place })))}
      join ${phones(taken.map(({ key }) => key))} on phone.nth = requested.place + 1
    ), kept as (
      insert into ussd_sessions (environment, aggregator, session_id, phone_number, stage, number, amount, language,
        answers, turns)
      select environment, aggregator, session_id, phone_number, stage, number, amount, language,
        answers::json, turns
      from taken order by environment, aggregator, session_id, phone_number
      on conflict (environment, aggregator, session_id, phone_number) do update
      set stage = excluded.stage, number = excluded.number, amount = excluded.amount, language = excluded.language,
        answers = excluded.answers, turns = excluded.turns
      where ussd_sessions.turns = excluded.turns - 1
      returning environment, aggregator, session_id, phone_number
    )
    select place from taken
    join kept on kept.environment = taken.environment and kept.aggregator = taken.aggregator
      and kept.session_id = taken.session_id and kept.phone_number = taken.phone_number`)
  const places = new Set(kept.map(({ place }) => place))
  return taken.map((_, place) => places.has(place))
}

const sessionRows = unnest<PlacedKey & UssdSession>({
  ...placedKey,
  stage: textOf<MenuStage>(),
  number: orNull(text),
  amount: orNull(bigint),
  language: textOf<MenuLanguage>(),
  answers: json<UssdSession['answers']>(),
  turns: integer,
})

/** Corrects a session that has already been saved in this transaction. */
export const correctSession = (tx: Tx, key: SessionKey, session: UssdSession) =>
  tx.run(sql`
    update ussd_sessions set stage = ${session.stage}, amount = ${session.amount},
      answers = ${JSON.stringify(session.answers)}
    where environment = ${key.environment} and aggregator = ${key.aggregator} and session_id = ${key.sessionId}
      and phone_number = ${storedText(installationScope(key.environment), key.phoneNumber)}`)

const maxDeletedAtOnce = 10_000

/** Deletes one batch of the sessions that began before `before`, and returns the number deleted. */
export const deleteSessions = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from ussd_sessions where ctid = any(array(
      select ctid from ussd_sessions where created_at < ${before} limit ${maxDeletedAtOnce}))`)
