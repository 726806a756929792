import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import { type JsonEvent, publish, publishing } from '../events/events.ts'
import { findMainAccount, mainAccount } from '../ledger/accounts.ts'
import { insertingOrders, openOrders } from '../payments/orders.ts'
import type { Outcome } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import { type Database, type Reader, type Tx, violatedConstraint } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { insertAnswered, type Keyed, readKeyFailure } from '../platform/http/idempotency.ts'
import { newId } from '../platform/ids.ts'
import { scheduleEach, scheduling } from '../platform/jobs/queue.ts'
import { Faults } from '../platform/refusals.ts'
import type { Connectors } from '../providers/connectors.ts'
import { currenciesNamed, judgeSession, newSessionOf, type SessionTerms } from './new-session.ts'
import { expiryOf, happened, presentSession, type SessionParts } from './sessions.ts'
import type { NewSession } from './shapes.ts'
import { insertSessions, type Session } from './store.ts'

type Parts = SessionParts & { connectors: Connectors }

/** A session as a request asks for it. `at`: when, by the Space's clock. */
export type WantedSession = { given: NewSession; at: Date }

/** Main accounts by Space, environment and currency: one that was read once stays what it is. */
export type KnownMainAccounts = LRUCache<string, string>
export const createKnownMainAccounts = (): KnownMainAccounts => new LRUCache({ max: 100_000 })

/** Opens sessions of one Space, each with its order, or says every fault of the request at once. */
export async function createSessions(
  tx: Tx,
  parts: Parts,
  scope: Scope,
  wanted: WantedSession[],
): Promise<Outcome<Session>[]> {
  const judged = await judgeEach(tx, parts, scope, wanted)
  const sound = judged.flatMap((one) => ('answer' in one ? [one.answer] : []))
  const mains = new Map<string, string>()
  for (const { terms, at } of sound)
    if (terms.accountId === undefined && !mains.has(terms.currency))
      mains.set(terms.currency, await mainAccount(tx, scope, terms.currency, at))
  const made = sound.map((one) => openedAs(one, mains))
  const orders = await openOrders(
    tx,
    scope,
    made.map(({ order }) => order),
  )
  const sessions = made.map(({ session }, i) => ({ ...session, orderNumber: orders[i]!.number }))
  if (sessions.length > 0) {
    await tx.run(insertSessions(scope, sessions))
    await scheduleEach(
      tx,
      sessions.map((session) => expiryOf(scope, session)),
    )
  }
  await publish(
    tx,
    scope,
    ...sessions.map((session) => ({
      ...happened('checkout_session.created', session),
      data: presentSession(parts, scope, session),
    })),
  )
  const opened = sessions.values()
  return judged.map((one) => ('answer' in one ? { answer: opened.next().value! } : one))
}

/** One of them, or the refusal. */
export async function createSession(tx: Tx, parts: Parts, scope: Scope, given: NewSession, at: Date) {
  const [outcome] = await createSessions(tx, parts, scope, [{ given, at }])
  if ('error' in outcome!) throw outcome.error
  return outcome!.answer
}

/**
 * The same in one statement, for sessions that are all new and sound, and whose accounts are there: answers their JSON,
 * or nothing when they are not.
 */
export async function createSoundSessions(
  db: Database,
  parts: Parts,
  known: KnownMainAccounts,
  scope: Scope,
  wanted: WantedSession[],
  keyed: Keyed[],
): Promise<string[] | undefined> {
  const judged = await judgeEach(db, parts, scope, wanted)
  const sound = judged.flatMap((one) => ('answer' in one ? [one.answer] : []))
  if (sound.length < wanted.length) return undefined
  const mains = await knownMains(db, known, scope, sound)
  if (!mains) return undefined
  const made = sound.map((one) => openedAs(one, mains))
  const sessions = made.map(({ session }) => session)
  const results = sessions.map((session) => JSON.stringify(presentSession(parts, scope, session)))
  const events = sessions.map((session, i): JsonEvent => {
    return {
      ...happened('checkout_session.created', session),
      id: newId(session.createdAt),
      json: results[i]!,
    }
  })
  try {
    await db.query(sql`
      with ordered as (${insertingOrders(
        scope,
        made.map(({ order }) => order),
      )}),
        opened as (${insertSessions(scope, sessions)}),
        expiring as (${scheduling(sessions.map((session) => expiryOf(scope, session)))}),
        told as (${publishing(scope, events)})
      ${insertAnswered(
        scope,
        keyed,
        events.map(({ id }) => id),
      )}`)
    return results
  } catch (error) {
    // The other way finds a number that is free.
    if (violatedConstraint(error) !== 'orders_number') readKeyFailure(error, keyed)
    return undefined
  }
}

type SoundSession = WantedSession & { terms: SessionTerms & { currency: string } }

/** Each request with what it comes to, or what is wrong with it. */
async function judgeEach(
  db: Reader,
  parts: Parts,
  scope: Scope,
  wanted: WantedSession[],
): Promise<Outcome<SoundSession>[]> {
  const currencies = await currenciesNamed(
    db,
    scope,
    wanted.map(({ given }) => given),
  )
  return wanted.map(({ given, at }) => {
    const faults = new Faults()
    const { currency, ...terms } = judgeSession(parts, scope, given, currencies, faults)
    if (faults.list.length > 0) return { error: faults.refusal() }
    assert(currency !== undefined, 'line items have a currency')
    return { answer: { given, at, terms: { ...terms, currency } } }
  })
}

/** `mains`: by currency, those of the sessions that name no account. */
function openedAs({ given, at, terms }: SoundSession, mains: Map<string, string>) {
  const financialAccountId = terms.accountId ?? mains.get(terms.currency)!
  return newSessionOf(given, { ...terms, financialAccountId }, at)
}

/** The main accounts that these need, by currency; nothing when one of them is still to be opened. */
async function knownMains(
  db: Reader,
  known: KnownMainAccounts,
  scope: Scope,
  sound: SoundSession[],
): Promise<Map<string, string> | undefined> {
  const mains = new Map<string, string>()
  for (const { terms } of sound) {
    const { accountId, currency } = terms
    if (accountId !== undefined || mains.has(currency)) continue
    const name = `${scope.environment} ${scope.spaceId} ${currency}`
    const id = known.get(name) ?? (await findMainAccount(db, scope, currency))
    if (id === undefined) return undefined
    known.set(name, id)
    mains.set(currency, id)
  }
  return mains
}
