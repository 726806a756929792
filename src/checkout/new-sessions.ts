import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import { factsChannel, type JsonEvent, publishEach, publishing } from '../events/events.ts'
import { findMainAccount, mainAccounts } from '../ledger/accounts.ts'
import { insertingOrders, openOrders } from '../payments/orders.ts'
import { answeredBy, type Outcome, onlyAnswer } from '../platform/batches.ts'
import type { Bounds, Database, Reader, Tx } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/failures.ts'
import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { insertKeysOfEvents, type Keyed, readKeyFailure } from '../platform/http/idempotency.ts'
import type { NotSimple } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { isSoon, jobsChannel, scheduleEach, scheduling } from '../platform/jobs/queue.ts'
import { must } from '../platform/must.ts'
import { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
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

/** Opens sessions, each with its order, or says every fault of the request at once. */
export async function createSessions(
  tx: Tx,
  parts: Parts,
  wanted: Scoped<WantedSession>[],
): Promise<Outcome<Scoped<Session>>[]> {
  const judged = await judgeEach(tx, parts, wanted)
  const sound = judged.flatMap((one) => ('answer' in one ? [one.answer] : []))
  const unnamed = sound.filter(({ terms }) => terms.accountId === undefined)
  const mains = await mainAccounts(
    tx,
    unnamed.map(({ scope, terms: { currency }, at }) => ({ scope, currency, at })),
  )
  const named = new Map(
    unnamed.map(({ scope, terms }, i) => [nameIn(scope, terms.currency), must(mains[i], 'main account')]),
  )
  const made = sound.map((one) => openedAs(one, named))
  const orders = await openOrders(
    tx,
    made.map(({ order }) => order),
  )
  const sessions = made.map(({ session }, i) => ({
    ...session,
    orderNumber: must(orders[i], 'order of a session').number,
  }))
  if (sessions.length > 0) {
    await tx.run(insertSessions(sessions))
    await scheduleEach(tx, sessions.map(expiryOf))
  }
  publishEach(
    tx,
    sessions.map((session) => ({
      ...happened('checkout_session.created', session),
      data: presentSession(parts, session.scope, session),
    })),
  )
  return answeredBy(judged, sessions)
}

/** One of them, or the refusal. */
export async function createSession(tx: Tx, parts: Parts, scope: Scope, given: NewSession, at: Date) {
  return onlyAnswer(await createSessions(tx, parts, [{ scope, given, at }]))
}

/**
 * The same in one statement, for sessions that are all new and sound, and whose accounts are there: returns their JSON, or
 * which of them are not.
 */
export async function createSoundSessions(
  db: Database,
  parts: Parts,
  known: KnownMainAccounts,
  wanted: Scoped<WantedSession>[],
  keyed: Keyed[],
  bounds: Bounds,
): Promise<string[] | NotSimple> {
  const judged = await judgeEach(db, parts, wanted)
  const sound = judged.flatMap((one) => ('answer' in one ? [one.answer] : []))
  const mains = await knownMains(db, known, sound)
  const isSimple = (one: Outcome<SoundSession>) =>
    'answer' in one &&
    (one.answer.terms.accountId !== undefined ||
      mains.has(nameIn(one.answer.scope, one.answer.terms.currency)))
  if (!judged.every(isSimple)) return { notSimple: judged.map((one) => !isSimple(one)) }
  const made = sound.map((one) => openedAs(one, mains))
  const sessions = made.map(({ session }) => session)
  const events = sessions.map(
    (session): Scoped<JsonEvent> => ({
      ...happened('checkout_session.created', session),
      id: newId(session.createdAt),
      json: JSON.stringify(presentSession(parts, session.scope, session)),
    }),
  )
  const expiries = sessions.map(expiryOf)
  try {
    await db.write(
      sql`
      with ordered as (${insertingOrders(made.map(({ order }) => order))}),
        opened as (${insertSessions(sessions)}),
        expiring as (${scheduling(expiries)}),
        told as (${publishing(events)})
      ${insertKeysOfEvents(
        keyed,
        events.map(({ id }) => id),
      )}`,
      bounds,
    )
    db.wake(factsChannel)
    if (isSoon(expiries)) db.wake(jobsChannel)
    return events.map(({ json }) => json)
  } catch (error) {
    // The other way finds a number that is free.
    if (violatedConstraint(error) === 'orders_number') return { notSimple: wanted.map(() => true) }
    const taken = await readKeyFailure(db, error, keyed)
    return { notSimple: keyed.map((one) => taken.has(one)) }
  }
}

type SoundSession = Scoped<WantedSession & { terms: SessionTerms & { currency: string } }>

/** Each request with what it comes to, or what is wrong with it. */
async function judgeEach(
  db: Reader,
  parts: Parts,
  wanted: Scoped<WantedSession>[],
): Promise<Outcome<SoundSession>[]> {
  const currencies = await currenciesNamed(db, wanted)
  return wanted.map((one) => {
    const faults = new Faults()
    const { currency, ...terms } = judgeSession(parts, one.scope, one.given, currencies, faults)
    if (faults.list.length > 0) return { error: faults.refusal() }
    assert(currency !== undefined, 'line items have a currency')
    return { answer: { ...one, terms: { ...terms, currency } } }
  })
}

/** `mains`: by Space and currency, those of the sessions that name no account. */
function openedAs({ scope, given, at, terms }: SoundSession, mains: Map<string, string>) {
  const financialAccountId =
    terms.accountId ?? must(mains.get(nameIn(scope, terms.currency)), 'main account of a currency')
  const { session, order } = newSessionOf(given, { ...terms, financialAccountId }, at)
  return { session: { ...session, scope }, order: { ...order, scope } }
}

/** The main accounts that these need, by Space and currency, as far as they were opened. */
async function knownMains(
  db: Reader,
  known: KnownMainAccounts,
  sound: SoundSession[],
): Promise<Map<string, string>> {
  const mains = new Map<string, string>()
  for (const { scope, terms } of sound) {
    const name = nameIn(scope, terms.currency)
    if (terms.accountId !== undefined || mains.has(name)) continue
    const id = known.get(name) ?? (await findMainAccount(db, scope, terms.currency))
    if (id === undefined) continue
    known.set(name, id)
    mains.set(name, id)
  }
  return mains
}
