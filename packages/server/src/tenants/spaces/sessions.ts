import { randomBytes } from 'node:crypto'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { newId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
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

const secretBytes = 32
const lifeMs = durationMs('7d') // limit: lifetime of a console session
// These sessions are shorter, so that the identity provider can soon refuse a user who has left the
// organization.
export const lifeByProviderMs = durationMs('12h') // limit: lifetime of a console session started by single sign-on
const idleMs = durationMs('12h') // limit: how long a console session can be idle
const freshMs = durationMs('10m') // limit: how long a sign-in or step-up allows sensitive actions
export const maxSessions = 20 // limit: concurrent sessions per user
const maxAgent = 200 // maximum number of characters of the User-Agent stored with a session

/** Returns whether a text has the form of a session secret, which is 256 bits in base64url. */
export const isSessionSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

/**
 * A completed sign-in. `authenticatedAt` is the time at which the user authenticated at an identity provider,
 * if that was earlier.
 */
export type CompletedSignIn = {
  userId: string
  method: SignInMethod
  address: string
  agent: string
  authenticatedAt?: Date | undefined
}

/**
 * Starts a session and returns the value of its cookie, of which only the hash is stored. Every sign-in gets a
 * new value, which prevents session fixation.
 */
export async function beginSession(
  tx: HomeTx,
  { authenticatedAt, ...arrival }: CompletedSignIn,
  at: Date,
): Promise<string> {
  const secret = randomBytes(secretBytes).toString('base64url')
  const session: Session = {
    ...arrival,
    agent: arrival.agent.slice(0, maxAgent),
    id: newId(at),
    createdAt: at,
    seenAt: at,
    expiresAt: new Date(at.getTime() + (arrival.method === 'oidc' ? lifeByProviderMs : lifeMs)),
    freshUntil: new Date((authenticatedAt ?? at).getTime() + freshMs),
    endedAt: null,
  }
  await insertSession(tx, session, hashSecret(secret))
  await endOlderSessions(tx, arrival.userId, maxSessions, at)
  return secret
}

/** Returns the active session for the value of a cookie, or `undefined` if there is none. */
export async function findSession(
  db: Reader,
  secret: string | undefined,
  now: Date,
): Promise<Session | undefined> {
  if (secret === undefined || !isSessionSecret(secret)) return undefined
  const [session] = await selectSessionsByHash(db, [hashSecret(secret)])
  return session && !hasSessionEnded(session, now) ? session : undefined
}

/**
 * Ends a session of the user. This takes effect on every node within a second. Repeating the call has no
 * effect.
 */
export async function endSession(tx: HomeTx, userId: string, id: string): Promise<void> {
  if (!(await markSessionEnded(tx, userId, id, new Date()))) throw noSuchSession()
}

/** Marks a session as fresh after its user has stepped up. */
export const freshenSession = (tx: HomeTx, id: string, at: Date) =>
  markSessionFresh(tx, id, new Date(at.getTime() + freshMs))

export const noSuchSession = () => new Refusal('not_found', { message: 'You have no session with this id.' })

export const hasSessionEnded = ({ endedAt, expiresAt, seenAt }: Session, now: Date): boolean =>
  endedAt !== null || expiresAt <= now || seenAt.getTime() + idleMs <= now.getTime()
