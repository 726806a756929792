import assert from 'node:assert/strict'
import { must } from '@pesewa/values'
import type { LRUCache } from 'lru-cache'
import { factsChannel, type JsonEvent, publishing } from '../../events/events.ts'
import { findMainAccount, mainAccounts } from '../../ledger/accounts/accounts.ts'
import { openOrders } from '../../money/payments/orders.ts'
import { insertingOrders } from '../../money/payments/store.ts'
import { type Outcome, onlyAnswer, withAnswers } from '../../platform/batches.ts'
import { createCache } from '../../platform/cache.ts'
import type { Bounds, Database, Reader, Tx } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failures.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { insertKeysOfEvents, type Keyed, readKeyFailure } from '../../platform/http/commands/idempotency.ts'
import type { NotSimple } from '../../platform/http/commands/route.ts'
import { newId } from '../../platform/ids.ts'
import { insertScheduled, isSoon, jobsChannel, scheduleEach } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { buildSession, currenciesNamed, type SessionTerms, validateSession } from './session-request.ts'
import { eventOf, expiryOf, presentSession, publishSessions } from './sessions.ts'
import type { NewSession } from './shapes.ts'
import { type CheckoutSession, insertSessions } from './store.ts'

/**
 * A request to open a session. `at` is the time on the Space's clock. For `idempotencyKey`, see
 * `CheckoutSession`.
 */
export type SessionRequest = Scoped<{
  body: NewSession
  at: Date
  idempotencyKey: string | null
  link?: OpeningLink
}>

/**
 * For a session opened from a payment link: the id of the link, and a function that returns the URL of the page
 * shown to the payer after payment. That page is the merchant's or ours.
 */
export type OpeningLink = { id: string; successUrlOf(sessionId: string): string }

/**
 * Ids of main accounts by Space, environment and currency. Entries never become stale, because the main account
 * of a currency does not change.
 */
type MainAccountCache = LRUCache<string, string>
export const createMainAccountCache = (): MainAccountCache => createCache({ max: 100_000 })

/** Creates sessions with their orders. The outcome of an invalid request contains all of its issues. */
export async function createSessions(
  tx: Tx,
  parts: Platform & Providers,
  requests: SessionRequest[],
): Promise<Outcome<Scoped<CheckoutSession>>[]> {
  const judged = await validateEach(tx, parts, requests)
  const sound = validRequests(judged)
  const unnamed = sound.filter(({ terms }) => terms.accountId === undefined)
  const mains = await mainAccounts(
    tx,
    unnamed.map(({ scope, terms: { currency }, at }) => ({ scope, currency, at })),
  )
  const named = new Map(
    unnamed.map(({ scope, terms }, i) => [globalName(scope, terms.currency), must(mains[i], 'main account')]),
  )
  const made = sound.map((one) => buildSessionAndOrder(one, named))
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
  publishSessions(tx, parts, sessions, 'created')
  return withAnswers(judged, sessions)
}

export const createSession = async (tx: Tx, parts: Platform & Providers, request: SessionRequest) =>
  onlyAnswer(await createSessions(tx, parts, [request]))

/**
 * Creates sessions in one statement, provided that all of them are new and valid and their accounts exist.
 * Returns the sessions as JSON. If any of the requests do not qualify, creates nothing and returns which ones.
 */
export async function createSessionsInOneStatement(
  db: Database,
  parts: Platform & Providers,
  cache: MainAccountCache,
  requests: SessionRequest[],
  keyed: Keyed[],
  bounds: Bounds,
): Promise<string[] | NotSimple> {
  const judged = await validateEach(db, parts, requests)
  const sound = validRequests(judged)
  const mains = await findMainAccounts(db, cache, sound)
  const isSimple = (one: Outcome<ValidRequest>) =>
    'answer' in one &&
    (one.answer.terms.accountId !== undefined ||
      mains.has(globalName(one.answer.scope, one.answer.terms.currency)))
  if (!judged.every(isSimple)) return { notSimple: judged.map((one) => !isSimple(one)) }
  const made = sound.map((one) => buildSessionAndOrder(one, mains))
  const sessions = made.map(({ session }) => session)
  const events = sessions.map(
    (session): Scoped<JsonEvent> => ({
      ...eventOf(session, 'created'),
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
        expiring as (${insertScheduled(expiries)}),
        published as (${publishing(events)})
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
    // The slow path, which uses a transaction, picks a different order number.
    if (violatedConstraint(error) === 'orders_number') return { notSimple: requests.map(() => true) }
    const used = await readKeyFailure(db, error, keyed)
    return { notSimple: keyed.map((one) => used.has(one)) }
  }
}

type ValidRequest = SessionRequest & { terms: SessionTerms & { currency: string } }

/** Returns each request with its terms or, if the request is invalid, an error with its issues. */
async function validateEach(
  db: Reader,
  parts: Platform & Providers,
  requests: SessionRequest[],
): Promise<Outcome<ValidRequest>[]> {
  const currencies = await currenciesNamed(db, requests)
  return requests.map((request) => {
    const issues = new Issues()
    const { currency, ...terms } = validateSession(parts, request.scope, request.body, currencies, issues)
    if (issues.list.length > 0) return { error: issues.refusal() }
    assert(currency !== undefined, 'valid line items have a currency')
    return { answer: { ...request, terms: { ...terms, currency } } }
  })
}

const validRequests = (judged: Outcome<ValidRequest>[]) =>
  judged.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []))

/**
 * `mains` contains the main accounts by Space and currency. They are used for requests that do not specify an
 * account.
 */
function buildSessionAndOrder(
  { scope, body, terms, link, ...request }: ValidRequest,
  mains: Map<string, string>,
) {
  const financialAccountId =
    terms.accountId ?? must(mains.get(globalName(scope, terms.currency)), 'main account of a currency')
  const { session, order } = buildSession(body, { ...terms, financialAccountId }, request)
  const linked = link && { paymentLinkId: link.id, successUrl: link.successUrlOf(session.id) }
  return { session: { ...session, ...linked, scope }, order: { ...order, scope } }
}

/** Returns the main accounts that these requests need and that already exist, by Space and currency. */
async function findMainAccounts(
  db: Reader,
  cache: MainAccountCache,
  sound: ValidRequest[],
): Promise<Map<string, string>> {
  const mains = new Map<string, string>()
  for (const { scope, terms } of sound) {
    const name = globalName(scope, terms.currency)
    if (terms.accountId !== undefined || mains.has(name)) continue
    const id = cache.get(name) ?? (await findMainAccount(db, scope, terms.currency))
    if (id === undefined) continue
    cache.set(name, id)
    mains.set(name, id)
  }
  return mains
}
