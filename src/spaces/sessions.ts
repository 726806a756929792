import { randomBytes } from 'node:crypto'
import type { Reader, Tx } from '../platform/db/database.ts'
import { durationMs } from '../platform/duration.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusals.ts'
import {
  endOlderSessions,
  insertSession,
  markSessionEnded,
  markSessionFresh,
  type Session,
  type SignInMethod,
  selectSessionsByHash,
} from './session-store.ts'
import { hashSecret } from './tokens.ts'

export type { Session, SignInMethod } from './session-store.ts'
export {
  deleteSessions as forgetSessions,
  endOtherSessions,
  selectSessionsOf as listSessions,
  signInMethods,
} from './session-store.ts'

const secretBytes = 32
const lifeMs = durationMs('7d') // limit: a session of the console, from signing in
// Whoever left the organisation is asked for by its identity provider again.
export const lifeByProviderMs = durationMs('12h') // limit: a session of who signed in at an identity provider
const idleMs = durationMs('12h') // limit: a session of the console that nobody uses
const freshMs = durationMs('10m') // limit: how long who signed in may do what needs a fresh sign-in
export const maxSessions = 20 // limit: sessions of a person at once
const maxAgent = 200 // limit: characters of a browser’s name that are kept

/** Whether a text has the form of a session’s secret: 256 bits in base64url. */
export const isSessionSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Who signed in, how, and from where. `shownAt`: when they showed who they are, where that was elsewhere and before. */
export type Arrival = {
  userId: string
  method: SignInMethod
  address: string
  agent: string
  shownAt?: Date | undefined
}

/**
 * Begins a session, and returns the text of its cookie, which is stored nowhere. Each sign-in has a text of its own: one that
 * somebody else put into the browser before is worth nothing after.
 */
export async function beginSession(tx: Tx, { shownAt, ...arrival }: Arrival, at: Date): Promise<string> {
  const secret = randomBytes(secretBytes).toString('base64url')
  const session: Session = {
    ...arrival,
    agent: arrival.agent.slice(0, maxAgent),
    id: newId(at),
    createdAt: at,
    seenAt: at,
    expiresAt: new Date(at.getTime() + (arrival.method === 'oidc' ? lifeByProviderMs : lifeMs)),
    freshUntil: new Date((shownAt ?? at).getTime() + freshMs),
    endedAt: null,
  }
  await insertSession(tx, session, hashSecret(secret))
  await endOlderSessions(tx, arrival.userId, maxSessions, at)
  return secret
}

/** The session that the text of a cookie stands for, while it lasts. */
export async function findSession(
  db: Reader,
  secret: string | undefined,
  now: Date,
): Promise<Session | undefined> {
  if (secret === undefined || !isSessionSecret(secret)) return undefined
  const [session] = await selectSessionsByHash(db, [hashSecret(secret)])
  return session && !isOver(session, now) ? session : undefined
}

/** Ends a session of a person’s own; acts on every node within a second. Repeated, the same. */
export async function endSession(tx: Tx, userId: string, id: string): Promise<void> {
  if (!(await markSessionEnded(tx, userId, id, new Date()))) throw noSuchSession()
}

/** Whose session it is has just shown again who they are. */
export const freshenSession = (tx: Tx, id: string, at: Date) =>
  markSessionFresh(tx, id, new Date(at.getTime() + freshMs))

export const noSuchSession = () => new Refusal('not_found', { message: 'There is no such session of yours.' })

export const isOver = ({ endedAt, expiresAt, seenAt }: Session, now: Date): boolean =>
  endedAt !== null || expiresAt <= now || seenAt.getTime() + idleMs <= now.getTime()
