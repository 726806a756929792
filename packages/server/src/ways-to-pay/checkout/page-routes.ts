import { fieldsOf, must, sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asksForCode, codePattern, takeCode } from '../../money/payments/codes.ts'
import { PromptLimitReached } from '../../money/payments/prompts.ts'
import { shareReceipts } from '../../money/payments/receipt-store.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { returnFromRail, takeRedirect } from '../../money/payments/returning.ts'
import { wholeMinutes } from '../../platform/duration.ts'
import { enforceAddressLimit, enforceViewLimit } from '../../platform/http/admission/address-limit.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { readId } from '../../platform/ids.ts'
import { assetRoute } from '../../platform/pages/asset-route.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import { openCodes, type PassCode } from '../../rails/instructions/codes.ts'
import { isAsked } from './another-attempt.ts'
import { findDialForm } from './dial-form.ts'
import { findMoneyBack } from './money-back.ts'
import { chooseState, findNumberIssue, readPayer } from './page-choice.ts'
import { redirectTo } from './page-responses.ts'
import {
  endedState,
  isAsSeen,
  merchantUrl,
  openRequest,
  paidState,
  type Visit,
  waitingState,
} from './page-state.ts'
import { showMessage, showState } from './page-views.ts'
import { assets } from './pages/assets.ts'
import { accountFields, type FormIssue } from './pages/view.ts'
import { claimAttempt, rememberLanguage, rememberProvider } from './payer-cookies.ts'
import { createPaying, type Paying } from './paying.ts'
import { readReturnState } from './return-state.ts'
import { besideOpen } from './second-attempt.ts'
import { cancelSession } from './sessions.ts'
import { type CheckoutParts, inVisit, type PageParts, shareVisits } from './visits.ts'

/**
 * Defines the routes of the pages for payers. The pages work without JavaScript: forms are posted, responses
 * redirect, and the waiting page reloads itself until the outcome is known.
 */
export function pageRoutes(parts: PageParts): RawRoute[] {
  const startPaying = createPaying(parts)
  const passCode = openCodes(parts)
  const findReceipt = shareReceipts(parts.db)
  const page = sessionPages(parts)
  return [
    page('GET', '/pay/:key', 'Show the payment page', (...visit) => showPage(findReceipt, ...visit)),
    page('POST', '/pay/:key', 'Submit a payment', (...visit) => pay(startPaying, ...visit)),
    page('POST', '/pay/:key/code', 'Submit the payer’s code', (...visit) => giveCode(passCode, ...visit)),
    page('POST', '/pay/:key/cancel', 'Cancel the session', cancel),
    page('GET', '/pay/:key/wait', 'Show the waiting page', wait),
    page(
      'GET',
      '/pay/:key/another',
      'Show the form for another number while a payment is in flight',
      another,
    ),
    page('GET', '/pay/:key/return', 'Return from the provider’s page', comeBack),
    page('GET', '/pay/:key/status', 'Poll for the outcome, a redirect or new guidance', showStatus),
    ...assets.map((asset) => assetRoute(asset, 'Static file of the payment page')),
  ]
}

/**
 * Returns a function that defines the routes of a page for payers. Routes with a limit share one rate limit per
 * client IP address.
 *
 * @param inVisit loads what the page shows, and calls `handle` with it
 */
export const buildPageRoute =
  <V>(parts: CheckoutParts, inVisit: InVisit<V>) =>
  (
    method: 'GET' | 'POST',
    url: string,
    summary: string,
    handle: (parts: CheckoutParts, visit: V, reply: FastifyReply) => Promise<FastifyReply>,
    isLimited = method === 'POST',
  ): RawRoute => ({
    kind: 'raw',
    method,
    url,
    summary,
    showError: (error, _request, reply) => showMessage(parts, error, reply),
    admit: (request) =>
      isLimited
        ? enforceAddressLimit(parts, 'page-limit', parts.settings.pageLimit, request)
        : enforceViewLimit(parts, request),
    handle: (request, reply) => {
      rememberLanguage(parts, reply)
      return inVisit(request, (visit) => handle(parts, visit, reply))
    },
  })

type InVisit<V> = (
  request: FastifyRequest,
  handle: (visit: V) => Promise<FastifyReply>,
) => Promise<FastifyReply>

/** Returns a function that defines the routes of a session's pages. */
export function sessionPages(parts: CheckoutParts) {
  const find = shareVisits(parts.db)
  return buildPageRoute<Visit>(parts, (request, handle) => inVisit(parts, find, request, handle))
}

async function showPage(
  findReceipt: ReturnType<typeof shareReceipts>,
  parts: CheckoutParts,
  visit: Visit,
  reply: FastifyReply,
) {
  const { stage } = visit
  if (stage === 'waiting') return redirectTo(reply, `/pay/${visit.key}/wait`)
  if (stage === 'choose') return showState(parts, visit, reply, formState(parts, visit, reply))
  if (stage === 'linkClosed') return showClosed(parts, visit, reply)
  if (stage !== 'paid') return showState(parts, visit, reply, endedState(visit, stage))
  rememberPaid(parts, visit, reply)
  const { db, catalogue } = parts
  const { createdAt } = existing(await findReceipt(visit.scope, visit.session.orderNumber))
  const moneyBack = await findMoneyBack(db, visit)
  return showState(parts, visit, reply, paidState(visit, catalogue, createdAt, moneyBack))
}

/** Returns the payment form, with the request that is still open, if there is one. */
function formState(
  parts: CheckoutParts,
  visit: Visit,
  reply: FastifyReply,
  again?: Parameters<typeof chooseState>[1],
) {
  const open = openRequest(visit, parts.catalogue)
  return { ...chooseState(visit, again), ...(open && { open }), ...dialField(parts, visit, reply) }
}

function dialField(...visiting: Parameters<typeof findDialForm>) {
  const dial = findDialForm(...visiting)
  return dial && { dial }
}

/**
 * Shows the link's current state, which may have changed in the meantime: a slot may have become free, or the
 * last slot may have been paid for.
 */
async function showClosed(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const { scope, session, now } = visit
  const linkId = must(session.paymentLinkId, 'payment link of a session')
  const { isOver, path } = await parts.links.find(parts.db, scope, linkId, now)
  return showState(parts, visit, reply, { kind: 'linkClosed', isOver, ...(!isOver && { linkPath: path }) })
}

/**
 * Remembers the provider for next time, but only in the browser that made the payment, and not in other
 * browsers in which the page is opened.
 */
function rememberPaid(parts: CheckoutParts, { attempt, isTheirs }: Visit, reply: FastifyReply) {
  if (attempt?.status === 'completed' && isTheirs) rememberProvider(parts, reply, attempt.providerId)
}

/**
 * Shows the payment form while an attempt is in flight, so that the payer can start another one. If that is not
 * possible, the waiting page says what the payer can do instead.
 */
async function another(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const choosing = besideOpen(parts, visit, reply)
  return choosing
    ? showState(parts, choosing, reply, formState(parts, choosing, reply))
    : redirectTo(reply, `/pay/${visit.key}/wait`)
}

async function pay(startPaying: Paying, parts: CheckoutParts, seen: Visit, reply: FastifyReply) {
  const { posted, supersedes, confirmed, isOurs } = readForm(seen, reply)
  const visit =
    seen.stage === 'choose'
      ? seen
      : supersedes !== undefined && supersedes === seen.attempt?.id
        ? besideOpen(parts, seen, reply)
        : undefined
  if (!isOurs || !visit) return redirectTo(reply, `/pay/${seen.key}`)
  const askAgain = (status: number, fault: FormIssue) =>
    showState(parts, visit, reply.code(status), formState(parts, visit, reply, { posted, fault }))
  const payer = readPayer(visit, posted)
  if ('field' in payer) return askAgain(422, payer)
  if (payer.type !== 'card' && isAsked(visit.attempts, payer))
    return askAgain(422, { field: accountFields[payer.type], code: 'alreadyAsked' })
  const fault = await findNumberIssue(parts.numbers, visit, payer)
  if (fault && (fault.isCertain || confirmed !== payer.providerId)) return askAgain(422, fault)
  try {
    const { scope, session, brand, space } = visit
    const payee = brand.name ?? space.name
    await startPaying(scope, { sessionId: session.id, payer, payee, address: reply.request.ip, supersedes })
  } catch (error) {
    if (error instanceof PromptLimitReached) {
      parts.metrics.rateLimited.inc({ limit: 'prompt-limit' })
      reply.headers(error.headers)
      return askAgain(error.status, {
        ...{ field: 'phone', code: 'askedOften' },
        waitMinutes: wholeMinutes(error.waitMs),
      })
    }
    // Another request was faster, often because of a double click. The waiting page shows the outcome.
    if (!(error instanceof Refusal) || error.reason !== 'state_conflict') throw error
    return redirectTo(reply, `/pay/${visit.key}/wait`)
  }
  claimAttempt(parts, reply, visit.key, payer)
  return redirectTo(reply, `/pay/${visit.key}/wait`)
}

async function cancel(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const { scope, session, key } = visit
  if (!readForm(visit, reply).isOurs) return redirectTo(reply, `/pay/${key}`)
  try {
    await parts.db.transaction((tx) => cancelSession(tx, parts, scope, session.id, parts.clock.now(scope)))
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'state_conflict') throw error
    return redirectTo(reply, `/pay/${key}`)
  }
  return redirectTo(reply, merchantUrl(session, session.cancelUrl) ?? `/pay/${key}`)
}

async function wait(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const { stage } = visit
  if (stage === 'waiting') return waitOrSend(parts, visit, reply)
  if (stage === 'paid') rememberPaid(parts, visit, reply)
  const home = stage === 'paid' ? merchantUrl(visit.session, visit.session.successUrl) : undefined
  return redirectTo(reply, home ?? `/pay/${visit.key}`)
}

const isRedirectDue = ({ attempt }: Visit) => !!attempt?.redirectUrl && attempt.redirectedAt === null

/** Redirects to the provider's page on the first visit. On later visits, the page shows a link to it. */
async function waitOrSend(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const { scope, attempt } = visit
  const url =
    reply.request.method === 'GET' && isRedirectDue(visit)
      ? await parts.db.transaction((tx) =>
          takeRedirect(tx, scope, must(attempt, 'attempt with a redirect').id, parts.clock.now(scope)),
        )
      : undefined
  if (url) return redirectTo(reply, url)
  return showWaiting(parts, visit, reply)
}

const showWaiting = (parts: CheckoutParts, visit: Visit, reply: FastifyReply, isCodeFaulty = false) =>
  showState(parts, visit, reply, {
    ...waitingState(visit, parts, isCodeFaulty),
    ...dialField(parts, visit, reply),
  })

/**
 * Passes a submitted code to the provider without storing it, and counts the submission. If the provider's
 * response does not contain the result, the next status query obtains it.
 */
async function giveCode(passCode: PassCode, parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const { scope, attempt, key } = visit
  const { code, isOurs } = readForm(visit, reply)
  if (!isOurs || visit.stage !== 'waiting' || !attempt || !asksForCode(attempt))
    return redirectTo(reply, `/pay/${key}/wait`)
  if (!new RegExp(codePattern).test(code)) return showWaiting(parts, visit, reply.code(422), true)
  const taken = await parts.db
    .transaction((tx) => takeCode(tx, scope, attempt.id, parts.clock.now(scope)))
    .catch(unlessRefused)
  if (taken) await passCode({ scope, id: attempt.id }, code, taken.mayLeave)
  return redirectTo(reply, `/pay/${key}/wait`)
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

/**
 * Handles the payer's return from the provider's page. The return does not prove that the payer has paid, so it
 * only triggers a status query. A `state` that is not valid for this page is ignored.
 */
async function comeBack(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const { scope, session, key } = visit
  const { state } = fieldsOf(reply.request.query)
  const paymentId = readReturnState(parts.seals, scope, session.id, state)
  const isBack =
    reply.request.method === 'GET' &&
    paymentId !== undefined &&
    (await parts.db.transaction((tx) =>
      returnFromRail(tx, scope, { originId: session.id, paymentId }, parts.clock.now(scope)),
    ))
  return redirectTo(reply, isBack ? `/pay/${key}/wait` : `/pay/${key}`)
}

const maxFieldLength = 200 // length of a form field on a payment page

export function readForm({ formToken }: Visit, { request }: FastifyReply) {
  const form = fieldsOf(request.body)
  const field = (name: string) => (typeof form[name] === 'string' ? form[name].slice(0, maxFieldLength) : '')
  // The payer may have corrected the refused number since. If so, the network that was selected because of it is void.
  const isCorrected = field('refused') !== field('phone')
  const confirmed = isCorrected ? '' : field('confirmed')
  const isOutdated = isCorrected && field('instead') === field('provider')
  return {
    posted: {
      way: field('way'),
      provider: confirmed || (isOutdated ? '' : field('provider')),
      phone: field('phone'),
      accountNumber: field('accountNumber'),
      walletId: field('walletId'),
    },
    /** The provider that the payer confirmed for the refused number, although it looks like another provider’s. */
    confirmed,
    /** The attempt that is in flight while the payer starts another one. */
    supersedes: readId(paymentIds, field('supersedes')),
    code: field('code').replaceAll(/[\s-]/g, ''),
    isOurs: sameText(field('formToken'), formToken),
  }
}

async function showStatus(_parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const { guided, seen } = fieldsOf(reply.request.query)
  const isNews = isRedirectDue(visit) || (!!visit.attempt?.guidance && guided === undefined)
  const isWaiting = seen === undefined ? visit.stage === 'waiting' && !isNews : isAsSeen(visit, seen)
  return reply
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send({ status: isWaiting ? 'waiting' : 'done' })
}
