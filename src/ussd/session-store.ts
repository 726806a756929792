import type { Environment } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Language } from './texts.ts'

/** What a phone is shown: a menu that waits for an answer, or the last word. */
export type Reply = { text: string; ends: boolean }

export type SessionKey = {
  environment: Environment
  aggregator: string
  sessionId: string
  phoneNumber: string
}

/** Which input is awaited: the digits of a code, an amount, a choice; `over`: none. */
export type Stage = 'number' | 'amount' | 'confirm' | 'over'

/** A phone's way through the menus. */
export type Session = {
  stage: Stage
  number: string | null
  /** Minor units: what the payer was shown, or typed. */
  amount: bigint | null
  language: Language
  /** By the step that they answered. */
  answers: Record<string, Reply>
  turns: number
}

/** What was answered to a step before. A step's name is whatever the aggregator sent. */
export const answerTo = (session: Session | undefined, step: string): Reply | undefined =>
  session && Object.hasOwn(session.answers, step) ? session.answers[step] : undefined

export const selectSession = (db: Reader, key: SessionKey) =>
  db.one<Session>(sql`
    select stage, number, amount, language, answers, turns from ussd_sessions
    where environment = ${key.environment} and aggregator = ${key.aggregator} and session_id = ${key.sessionId}
      and phone_number = ${key.phoneNumber}`)

/**
 * Keeps a session as it is after one turn more; `false` when the same turn was taken already. Whoever is second waits
 * here until the first has committed.
 */
export const keepTurn = async (tx: Tx, key: SessionKey, session: Session): Promise<boolean> =>
  (await tx.run(sql`
    insert into ussd_sessions (environment, aggregator, session_id, phone_number, stage, number, amount, language,
      answers, turns)
    values (${key.environment}, ${key.aggregator}, ${key.sessionId}, ${key.phoneNumber}, ${session.stage},
      ${session.number}, ${session.amount}, ${session.language}, ${JSON.stringify(session.answers)}, ${session.turns})
    on conflict (environment, aggregator, session_id, phone_number) do update
    set stage = excluded.stage, number = excluded.number, amount = excluded.amount, language = excluded.language,
      answers = excluded.answers, turns = excluded.turns
    where ussd_sessions.turns = excluded.turns - 1`)) === 1

/** Corrects the turn that this transaction took. */
export const correctTurn = (tx: Tx, key: SessionKey, session: Session) =>
  tx.run(sql`
    update ussd_sessions set stage = ${session.stage}, amount = ${session.amount},
      answers = ${JSON.stringify(session.answers)}
    where environment = ${key.environment} and aggregator = ${key.aggregator} and session_id = ${key.sessionId}
      and phone_number = ${key.phoneNumber}`)

const maxForgottenAtOnce = 10_000

/** Forgets sessions that began before `before`, by the database's clock; answers how many, at most 10 000. */
export const deleteSessions = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from ussd_sessions where ctid = any(array(
      select ctid from ussd_sessions where created_at < ${before} limit ${maxForgottenAtOnce}))`)
