import assert from 'node:assert/strict'
import { must } from '@pesewa/values'
import { withEvents } from '../../events/new-rows.ts'
import {
  findMainAccounts,
  type MainAccountCache,
  openMainAccounts,
} from '../../ledger/accounts/main-accounts.ts'
import { openOrders } from '../../money/payments/orders.ts'
import { insertingOrders } from '../../money/payments/store.ts'
import { answersOf, type Outcome, onlyAnswer, withAnswers } from '../../platform/batches.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { NewRows, NotSimple } from '../../platform/http/commands/new-rows.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { buildSession, currenciesNamed, type SessionTerms, validateSession } from './session-request.ts'
import { eventOf, expiryOf, publishSessions } from './sessions.ts'
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

/** Creates sessions with their orders. The outcome of an invalid request contains all of its issues. */
export async function createSessions(
  tx: Tx,
  parts: Platform & Providers,
  requests: SessionRequest[],
): Promise<Outcome<Scoped<CheckoutSession>>[]> {
  const judged = await validateEach(tx, parts, requests)
  const sound = answersOf(judged)
  const mains = await openMainAccounts(tx, withoutAccount(sound))
  const made = sound.map((one) => buildSessionAndOrder(one, mains))
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
    scheduleEach(tx, sessions.map(expiryOf))
  }
  publishSessions(tx, parts, sessions, 'created')
  return withAnswers(judged, sessions)
}

export const createSession = async (tx: Tx, parts: Platform & Providers, request: SessionRequest) =>
  onlyAnswer(await createSessions(tx, parts, [request]))

/**
 * Prepares the rows of sessions, provided that all requests are valid and the accounts exist. Otherwise, returns
 * the requests to which this does not apply.
 */
export async function prepareSessions(
  db: Reader,
  parts: Platform & Providers,
  cache: MainAccountCache,
  requests: SessionRequest[],
): Promise<NewRows | NotSimple> {
  const judged = await validateEach(db, parts, requests)
  const sound = answersOf(judged)
  const mains = await findMainAccounts(db, cache, withoutAccount(sound))
  const isSimple = (one: Outcome<ValidRequest>) =>
    'answer' in one &&
    (one.answer.terms.accountId !== undefined ||
      mains.has(globalName(one.answer.scope, one.answer.terms.currency)))
  if (!judged.every(isSimple)) return { notSimple: judged.map((one) => !isSimple(one)) }
  const made = sound.map((one) => buildSessionAndOrder(one, mains))
  const sessions = made.map(({ session }) => session)
  return withEvents(
    {
      inserts: [insertingOrders(made.map(({ order }) => order)), insertSessions(sessions)],
      jobs: sessions.map(expiryOf),
    },
    sessions.map((session) => eventOf(parts, session, 'created')),
  )
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

/** Returns the requests that do not specify an account, and therefore use the main account. */
const withoutAccount = (sound: ValidRequest[]) =>
  sound
    .filter(({ terms }) => terms.accountId === undefined)
    .map(({ scope, terms: { currency }, at }) => ({ scope, currency, at }))

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
