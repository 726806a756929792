import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { countryOfAddress } from '../countries/origin.ts'
import { returnFromRail, takeRedirect } from '../payments/returning.ts'
import type { RateLimiter } from '../platform/http/rate-limits.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { refusalOf } from '../platform/http/server.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { sameText } from '../platform/seals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import { findSpace } from '../spaces/spaces.ts'
import { readPageKey } from './page-key.ts'
import {
  chooseState,
  endedState,
  formTokenOf,
  merchantUrl,
  offeredProviders,
  type Posted,
  readAttempt,
  stageOf,
  type Visit,
  viewOf,
  waitingState,
} from './page-state.ts'
import { assets } from './pages/assets.ts'
import { pagePolicy } from './pages/policy.ts'
import { type CheckoutState, type Fault, renderCheckoutPage, renderMessagePage } from './pages/render.ts'
import { texts } from './pages/texts.ts'
import { readReturnState } from './return-state.ts'
import { cancelSession, lastAttempt, paySession } from './sessions.ts'
import { selectSession } from './store.ts'

export type PageParts = Platform & { catalogue: Catalogue; connectors: Connectors; limiter: RateLimiter }

/**
 * The pages the payer sees. They work without JavaScript: a form posts, the answer redirects, the waiting page loads
 * itself again until the outcome is known.
 */
export function pageRoutes(parts: PageParts): RawRoute[] {
  const showError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    showMessage(parts, error, request, reply)
  const page = (
    method: 'GET' | 'POST',
    url: string,
    summary: string,
    handle: RawRoute['handle'],
  ): RawRoute => ({
    kind: 'raw',
    method,
    url,
    summary,
    showError,
    handle,
  })
  return [
    page('GET', '/pay/:key', 'The payment page', (request, reply) => showPage(parts, request, reply)),
    page('POST', '/pay/:key', 'The payer pays', (request, reply) => pay(parts, request, reply)),
    page('POST', '/pay/:key/cancel', 'The payer cancels', (request, reply) => cancel(parts, request, reply)),
    page('GET', '/pay/:key/wait', 'The payer waits', (request, reply) => wait(parts, request, reply)),
    page('GET', '/pay/:key/return', 'The payer is back from a page of the rail', (request, reply) =>
      comeBack(parts, request, reply),
    ),
    page(
      'GET',
      '/pay/:key/status',
      'Whether the wait is over, or leads elsewhere',
      async (request, reply) => {
        const visit = await visitOf(parts, request)
        const isWaiting = stageOf(visit) === 'waiting' && !isToBeSent(visit)
        return reply.header('cache-control', 'no-store').send({ status: isWaiting ? 'waiting' : 'done' })
      },
    ),
    ...assets.map(
      ({ path, type, body }): RawRoute => ({
        kind: 'raw',
        method: 'GET',
        url: path,
        summary: 'A file of the payment page',
        handle: (_request, reply) =>
          reply
            .header('cache-control', 'public, max-age=31536000, immutable')
            .header('x-content-type-options', 'nosniff')
            .type(type)
            .send(body),
      }),
    ),
  ]
}

export async function visitOf({ db, seals, clock }: PageParts, request: FastifyRequest): Promise<Visit> {
  const { key } = request.params as { key: string }
  const named = readPageKey(seals, key)
  if (!named) throw new Refusal('not_found')
  const { scope, sessionId } = named
  const session = await selectSession(db, scope, sessionId)
  const space = await findSpace(db, scope.spaceId)
  if (!session || !space) throw new Refusal('not_found')
  return {
    key,
    scope,
    session,
    space,
    attempt: await lastAttempt(db, scope, sessionId),
    payerCountry: countryOfAddress(request.ip),
    now: clock.now(scope),
  }
}

async function showPage(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const stage = stageOf(visit)
  if (stage === 'waiting') return reply.redirect(`/pay/${visit.key}/wait`, 303)
  return stage === 'choose' ? choose(parts, visit, reply) : show(reply, visit, endedState(visit, stage))
}

async function pay(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  await limit(parts, request)
  const visit = await visitOf(parts, request)
  const { posted, isOurs } = readForm(parts, visit, request)
  if (!isOurs || stageOf(visit) !== 'choose') return reply.redirect(`/pay/${visit.key}`, 303)
  const offered = offeredProviders(visit, parts.catalogue, parts.connectors)
  const attempt = readAttempt(visit, offered, posted)
  if ('field' in attempt) return choose(parts, visit, reply.code(422), { posted, fault: attempt })
  await parts.db
    .transaction((tx) =>
      paySession(tx, parts, visit.scope, visit.session.id, attempt, parts.clock.now(visit.scope)),
    )
    // Somebody was faster, perhaps the same person with a second click: the waiting page knows how it stands.
    .catch((error) => {
      if (!(error instanceof Refusal) || error.reason !== 'state_conflict') throw error
    })
  return reply.redirect(`/pay/${visit.key}/wait`, 303)
}

async function cancel(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  await limit(parts, request)
  const visit = await visitOf(parts, request)
  const { scope, session, key } = visit
  if (!readForm(parts, visit, request).isOurs) return reply.redirect(`/pay/${key}`, 303)
  try {
    await parts.db.transaction((tx) => cancelSession(tx, parts, scope, session.id, parts.clock.now(scope)))
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'state_conflict') throw error
    return reply.redirect(`/pay/${key}`, 303)
  }
  return reply.redirect(merchantUrl(session, session.cancelUrl) ?? `/pay/${key}`, 303)
}

async function wait(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const stage = stageOf(visit)
  if (stage === 'waiting') return waitOrSend(parts, visit, request, reply)
  const home = stage === 'paid' ? merchantUrl(visit.session, visit.session.successUrl) : undefined
  return reply.redirect(home ?? `/pay/${visit.key}`, 303)
}

const isToBeSent = ({ attempt }: Visit) => !!attempt?.redirectUrl && attempt.redirectedAt === null

/** To the rail's page, the first time; after that the page here shows a link to it. */
async function waitOrSend(parts: PageParts, visit: Visit, request: FastifyRequest, reply: FastifyReply) {
  const { scope, attempt } = visit
  const url =
    request.method === 'GET' && isToBeSent(visit)
      ? await parts.db.transaction((tx) => takeRedirect(tx, scope, attempt!.id, parts.clock.now(scope)))
      : undefined
  if (url)
    return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(url, 303)
  return show(reply, visit, waitingState(visit, parts.catalogue))
}

/** Coming back proves nothing: at most the rail is asked now. A state that is not good for this page does nothing. */
async function comeBack(parts: PageParts, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(parts, request)
  const { scope, session, key } = visit
  const { state } = request.query as { state?: unknown }
  const paymentId = readReturnState(parts.seals, scope, session.id, state)
  const isBack =
    request.method === 'GET' &&
    paymentId !== undefined &&
    (await parts.db.transaction((tx) =>
      returnFromRail(tx, scope, { originId: session.id, paymentId }, parts.clock.now(scope)),
    ))
  return reply.header('cache-control', 'no-store').redirect(isBack ? `/pay/${key}/wait` : `/pay/${key}`, 303)
}

function choose(
  parts: PageParts,
  visit: Visit,
  reply: FastifyReply,
  again: { posted?: Posted; fault?: Fault } = {},
) {
  const offered = offeredProviders(visit, parts.catalogue, parts.connectors)
  const { environment } = visit.scope
  // A rail that is quick sends the payer on to its page in answer to the form.
  const pages = offered.flatMap(
    ({ providerId }) => parts.connectors.connectorOf(providerId, environment)?.pageOrigin ?? [],
  )
  return show(reply, visit, chooseState(visit, offered, formTokenOf(parts.seals, visit.key), again), pages)
}

function readForm({ seals }: PageParts, { key }: Visit, request: FastifyRequest) {
  const form = (request.body ?? {}) as Record<string, unknown>
  const field = (name: string) => (typeof form[name] === 'string' ? form[name].slice(0, 200) : '')
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

export async function limit({ settings, limiter }: PageParts, request: FastifyRequest): Promise<void> {
  if (settings.rateLimits === 'off') return
  const exceeded = await limiter.take(
    [{ name: 'page-limit', key: `page ${request.ip}`, perSecond: settings.pageLimit }],
    Date.now(),
  )
  if (exceeded) throw new Refusal('too_many_requests', { headers: { 'retry-after': '1' } })
}

function show(reply: FastifyReply, visit: Visit, state: CheckoutState, pages: string[] = []) {
  const { successUrl, cancelUrl } = visit.session
  const redirectsTo = [successUrl, cancelUrl, ...pages].filter((url) => url !== null)
  return sendPage(reply, (nonce) => renderCheckoutPage(viewOf(visit, nonce, state)), redirectsTo)
}

export function showMessage(parts: PageParts, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(parts, error, request)
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value)
  const { messages } = texts.en
  const known = { not_found: messages.notFound, too_many_requests: messages.tooMany }
  const message = known[refusal.reason as keyof typeof known] ?? messages.failed
  return sendPage(reply.code(refusal.status), (nonce) => renderMessagePage({ nonce, ...message }))
}

export function sendPage(reply: FastifyReply, render: (nonce: string) => string, redirectsTo: string[] = []) {
  const nonce = newNonce()
  return reply.headers(pageHeaders(nonce, redirectsTo)).type('text/html; charset=utf-8').send(render(nonce))
}

const newNonce = () => randomBytes(16).toString('base64url')

/** What every answer to a payer carries. */
export const pageHeaders = (nonce = newNonce(), redirectsTo: string[] = []) => ({
  'content-security-policy': pagePolicy(nonce, redirectsTo),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
})
