import type { FastifyReply, FastifyRequest } from 'fastify'
import { countryOfAddress } from '../countries/origin.ts'
import { type PaymentParts, shareLastAttempts } from '../payments/payments.ts'
import { PhoneAskedOften } from '../payments/prompts.ts'
import { returnFromRail, takeRedirect } from '../payments/returning.ts'
import type { PaymentSettings } from '../payments/settings.ts'
import type { Database } from '../platform/db/database.ts'
import { wholeMinutes } from '../platform/duration.ts'
import { fieldsOf, hasKey } from '../platform/fields.ts'
import { limitAddress } from '../platform/http/address-limit.ts'
import type { RateLimiter } from '../platform/http/rate-limits.ts'
import { pathParams } from '../platform/http/request.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { refusalOf } from '../platform/http/server.ts'
import { must } from '../platform/must.ts'
import { assetRoute } from '../platform/pages/assets.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { sameText } from '../platform/seals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import { shareSpaces } from '../spaces/spaces.ts'
import { pageUrl, readPageKey } from './page-key.ts'
import { languageFor, leadTo, sendPage } from './page-responses.ts'
import {
  chooseState,
  endedState,
  formTokenOf,
  merchantUrl,
  offeredProviders,
  type Posted,
  readPayer,
  stageOf,
  type Visit,
  viewOf,
  waitingState,
} from './page-state.ts'
import { assets } from './pages/assets.ts'
import { renderCheckoutPage, renderMessagePage } from './pages/render.ts'
import type { CheckoutState, FormFault } from './pages/view.ts'
import { createPaying, type Paying } from './paying.ts'
import { readReturnState } from './return-state.ts'
import { cancelSession } from './sessions.ts'
import type { CheckoutSettings } from './settings.ts'
import { shareSessions } from './store.ts'

export type PageRouteParts = Platform<CheckoutSettings & PaymentSettings> &
  PaymentParts & { catalogue: Catalogue; connectors: Connectors; limiter: RateLimiter }
export type PageParts = PageRouteParts & { find: ReturnType<typeof shareVisits> }

/** What visits look for. Those that come at the same time share the queries. */
export const shareVisits = (db: Database) => ({
  session: shareSessions(db),
  space: shareSpaces(db),
  lastAttempt: shareLastAttempts(db),
})

/**
 * The pages the payer sees. They work without JavaScript: a form posts, the answer redirects, the waiting page loads
 * itself again until the outcome is known.
 */
export function pageRoutes(given: PageRouteParts): RawRoute[] {
  const parts: PageParts = { ...given, find: shareVisits(given.db) }
  const startPaying = createPaying(parts)
  const showError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    showMessage(parts, error, request, reply)
  const page = (
    method: 'GET' | 'POST',
    url: string,
    summary: string,
    handle: RawRoute['handle'],
    admit?: RawRoute['admit'],
  ): RawRoute => ({
    kind: 'raw',
    method,
    url,
    summary,
    showError,
    ...(admit && { admit }),
    handle: (request, reply) => {
      const { key = '' } = pathParams(request)
      const named = readPageKey(parts.seals, key)
      const answer = () => handle(request, reply)
      return named ? parts.db.within(named.scope.spaceId, answer) : answer()
    },
  })
  const admit = (request: FastifyRequest) => limit(parts, request)
  return [
    page('GET', '/pay/:key', 'The payment page', (request, reply) => showPage(parts, request, reply)),
    page(
      'POST',
      '/pay/:key',
      'The payer pays',
      (request, reply) => pay(parts, startPaying, request, reply),
      admit,
    ),
    page(
      'POST',
      '/pay/:key/cancel',
      'The payer cancels',
      (request, reply) => cancel(parts, request, reply),
      admit,
    ),
    page('GET', '/pay/:key/wait', 'The payer waits', (request, reply) => wait(parts, request, reply)),
    page('GET', '/pay/:key/return', 'The payer is back from a page of the rail', (request, reply) =>
      comeBack(parts, request, reply),
    ),
    page(
      'GET',
      '/pay/:key/status',
      'Whether the wait is over, leads elsewhere, or has something to say',
      async (request, reply) => {
        const visit = await visitOf(parts, request)
        const { guided } = fieldsOf(request.query)
        const isNews = isToBeSent(visit) || (!!visit.attempt?.guidance && guided === undefined)
        const isWaiting = stageOf(visit) === 'waiting' && !isNews
        return reply
          .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
          .send({ status: isWaiting ? 'waiting' : 'done' })
      },
    ),
    ...assets.map((asset) => assetRoute(asset, 'A file of the payment page')),
  ]
}

export async function visitOf({ find, seals, clock }: PageParts, request: FastifyRequest): Promise<Visit> {
  const { key = '' } = pathParams(request)
  const named = readPageKey(seals, key)
  if (!named) throw new Refusal('not_found')
  const { scope, sessionId } = named
  const [session, space] = await Promise.all([
    find.session(scope, sessionId),
    find.space(scope, scope.spaceId),
  ])
  if (!session || !space) throw new Refusal('not_found')
  return {
    key,
    scope,
    session,
    space,
    // After the session: a session that was paid meanwhile has its attempt.
    attempt: await find.lastAttempt(scope, sessionId),
    payerCountry: countryOfAddress(request.ip),
    now: clock.now(scope),
  }
}

async function showPage(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const stage = stageOf(visit)
  if (stage === 'waiting') return leadTo(reply, `/pay/${visit.key}/wait`)
  return stage === 'choose' ? choose(parts, visit, reply) : show(reply, visit, endedState(visit, stage))
}

async function pay(parts: PageParts, startPaying: Paying, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const { posted, isOurs } = readForm(parts, visit, request)
  if (!isOurs || stageOf(visit) !== 'choose') return leadTo(reply, `/pay/${visit.key}`)
  const offered = offeredProviders(visit, parts.catalogue, parts.connectors)
  const payer = readPayer(visit, offered, posted)
  if ('field' in payer) return choose(parts, visit, reply.code(422), { posted, fault: payer })
  try {
    await startPaying(visit.scope, { sessionId: visit.session.id, payer })
  } catch (error) {
    if (error instanceof PhoneAskedOften) return askLater(parts, visit, reply, posted, error)
    // Somebody was faster, perhaps the same person with a second click: the waiting page knows how it stands.
    if (!(error instanceof Refusal) || error.reason !== 'state_conflict') throw error
  }
  return leadTo(reply, `/pay/${visit.key}/wait`)
}

/** The page as it was, with what happened and when to try again. */
function askLater(
  parts: PageParts,
  visit: Visit,
  reply: FastifyReply,
  posted: Posted,
  { status, headers, waitMs }: PhoneAskedOften,
) {
  parts.metrics.rateLimited.inc({ limit: 'prompt-limit' })
  const fault: FormFault = { field: 'phone', code: 'askedOften', waitMinutes: wholeMinutes(waitMs) }
  return choose(parts, visit, reply.code(status).headers(headers), { posted, fault })
}

async function cancel(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const { scope, session, key } = visit
  if (!readForm(parts, visit, request).isOurs) return leadTo(reply, `/pay/${key}`)
  try {
    await parts.db.transaction((tx) => cancelSession(tx, parts, scope, session.id, parts.clock.now(scope)))
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'state_conflict') throw error
    return leadTo(reply, `/pay/${key}`)
  }
  return leadTo(reply, merchantUrl(session, session.cancelUrl) ?? `/pay/${key}`)
}

async function wait(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const stage = stageOf(visit)
  if (stage === 'waiting') return waitOrSend(parts, visit, request, reply)
  const home = stage === 'paid' ? merchantUrl(visit.session, visit.session.successUrl) : undefined
  return leadTo(reply, home ?? `/pay/${visit.key}`)
}

const isToBeSent = ({ attempt }: Visit) => !!attempt?.redirectUrl && attempt.redirectedAt === null

/** To the rail's page, the first time; after that the page here shows a link to it. */
async function waitOrSend(parts: PageParts, visit: Visit, request: FastifyRequest, reply: FastifyReply) {
  const { scope, attempt } = visit
  const url =
    request.method === 'GET' && isToBeSent(visit)
      ? await parts.db.transaction((tx) =>
          takeRedirect(tx, scope, must(attempt, 'attempt that is sent').id, parts.clock.now(scope)),
        )
      : undefined
  if (url) return leadTo(reply, url)
  return show(reply, visit, waitingState(visit, parts.catalogue, languageFor(reply)))
}

/** Coming back proves nothing: at most the rail is asked now. A state that is not good for this page does nothing. */
async function comeBack(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const { scope, session, key } = visit
  const { state } = fieldsOf(request.query)
  const paymentId = readReturnState(parts.seals, scope, session.id, state)
  const isBack =
    request.method === 'GET' &&
    paymentId !== undefined &&
    (await parts.db.transaction((tx) =>
      returnFromRail(tx, scope, { originId: session.id, paymentId }, parts.clock.now(scope)),
    ))
  return leadTo(reply, isBack ? `/pay/${key}/wait` : `/pay/${key}`)
}

function choose(
  parts: PageParts,
  visit: Visit,
  reply: FastifyReply,
  again: { posted?: Posted; fault?: FormFault } = {},
) {
  const offered = offeredProviders(visit, parts.catalogue, parts.connectors)
  const { environment } = visit.scope
  // A rail that is quick sends the payer on to its page in answer to the form.
  const pages = offered.flatMap(
    ({ providerId }) => parts.connectors.connectorOf(providerId, environment)?.pageOrigin ?? [],
  )
  const formToken = formTokenOf(parts.seals, visit.key)
  const state = chooseState(visit, offered, { language: languageFor(reply), formToken }, again)
  // A phone has no use for a code to open the page on a phone.
  const isPhone = /Mobi/.test(reply.request.headers['user-agent'] ?? '')
  const address = isPhone ? undefined : pageUrl(parts, visit.scope, visit.session.id)
  return show(reply, visit, state, { pages, address })
}

const maxFieldLength = 200 // limit: a field of the payment page’s form

function readForm({ seals }: PageParts, { key }: Visit, request: FastifyRequest) {
  const form = fieldsOf(request.body)
  const field = (name: string) => (typeof form[name] === 'string' ? form[name].slice(0, maxFieldLength) : '')
  return {
    posted: {
      provider: field('provider'),
      phone: field('phone'),
      accountNumber: field('accountNumber'),
      walletId: field('walletId'),
    },
    isOurs: sameText(field('formToken'), formTokenOf(seals, key)),
  }
}

export const limit = (parts: PageParts, request: FastifyRequest) =>
  limitAddress(parts, 'page-limit', parts.settings.pageLimit, request)

function show(
  reply: FastifyReply,
  visit: Visit,
  state: CheckoutState,
  { pages = [], address }: { pages?: string[]; address?: string | undefined } = {},
) {
  const { successUrl, cancelUrl } = visit.session
  const redirectsTo = [successUrl, cancelUrl, ...pages].filter((url) => url !== null)
  const look = { language: languageFor(reply), ...(address && { address }) }
  return sendPage(reply, (nonce) => renderCheckoutPage(viewOf(visit, { ...look, nonce }, state)), redirectsTo)
}

export function showMessage(parts: PageParts, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(parts, error, request)
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value)
  const known = { not_found: 'notFound', too_many_requests: 'tooMany' } as const
  const message = hasKey(known, refusal.reason) ? known[refusal.reason] : 'failed'
  const language = languageFor(reply)
  return sendPage(reply.code(refusal.status), (nonce) => renderMessagePage({ language, nonce, message }))
}
