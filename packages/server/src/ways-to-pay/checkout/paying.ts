import { must } from '@pesewa/values'
import type { Payer } from '../../money/payments/channel.ts'
import {
  findAttemptsOfEach,
  isInFlight,
  type PaymentParts,
  startPayments,
} from '../../money/payments/payments.ts'
import {
  openPromptBudget,
  type Prompt,
  type PromptBudget,
  PromptLimitReached,
} from '../../money/payments/prompts.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import type { PaymentSettings } from '../../money/payments/settings.ts'
import type { Payment } from '../../money/payments/store.ts'
import { batchKeyOf, createBatches, type Outcome } from '../../platform/batches.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { tooManyRequests } from '../../platform/limits/rate-limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { joinTrace } from '../../platform/tracing/spans.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { canStartBeside } from './another-attempt.ts'
import { returnUrl } from './return-state.ts'
import { linkedPayment, type SessionLinks } from './session-links.ts'
import { closeSessions, isPast, maxAttempts } from './sessions.ts'
import { type CheckoutSession, lockSessions } from './store.ts'
import type { CheckoutParts } from './visits.ts'

/**
 * Starts a payment for a session. The request is refused unless the session is pending and has not expired. If
 * its latest attempt is in flight, the request must name that attempt in `supersedes`.
 *
 * `address` identifies the payer's device, usually by its IP address. `isDialled` is true if the payer dialled and
 * therefore cannot know whether an attempt is in flight.
 *
 * @throws PromptLimitReached if the payer's phone has reached its prompt limit
 */
export type Paying = (scope: Scope, request: PaymentRequest) => Promise<void>

type PaymentRequest = {
  sessionId: string
  payer: Payer
  address: string
  /** The merchant's name as the page shows it. */
  payee?: string
  supersedes?: string | undefined
  isDialled?: boolean
}

/**
 * Returns a function that starts payments. Concurrent payments share a transaction, even if they belong to
 * different Spaces.
 */
export function createPaying(parts: CheckoutParts): Paying {
  const { db, clock } = parts
  const sizes = parts.metrics.batchSizes.labels({ command: '/pay/:key' })
  const batches = createBatches<Omit<PayRequest, 'at'>, string | undefined>({
    tenantOf: ({ scope }) => batchKeyOf(scope),
    run: (batch, bounds) =>
      db.transaction((tx) => {
        const requests = batch.map((request) => ({ ...request, at: clock.now(request.scope) }))
        return paySessions(tx, parts, requests)
      }, bounds),
    observe: (size) => sizes.observe(size),
    name: '/pay/:key',
  })
  return async (scope, request) => {
    const paymentId = await batches.submit(scope.environment, { scope, ...request })
    if (paymentId !== undefined) joinTrace(() => showId(paymentIds, paymentId))
  }
}

/** The dependencies of payments for sessions. */
export type PayingParts = Pick<Platform<PaymentSettings>, 'baseUrl' | 'settings'> &
  Pick<Providers, 'connectors'> &
  PaymentParts & { links: Pick<SessionLinks, 'admit'> }

/** A request to pay for a session, with the time on its Space's clock. */
type PayRequest = Scoped<PaymentRequest & { at: Date }>

/**
 * Starts at most one payment per session. The first eligible request wins; requests in different transactions
 * are ordered by the lock on the session's row. All requests belong to the same environment. Returns the ids of the
 * payments.
 */
export async function paySessions(
  tx: Tx,
  parts: PayingParts,
  requests: PayRequest[],
): Promise<Outcome<string | undefined>[]> {
  const sessions = byGlobalName(await lockSessions(tx, requests.map(sessionOf)))
  const attempts = await findAttemptsOfEach(tx, [...sessions.values()], maxAttempts)
  const refusals = new Map(
    requests.map((request) => {
      const name = nameOf(request)
      return [request, refusalOf(parts, sessions.get(name), attempts.get(name) ?? [], request)] as const
    }),
  )
  const payable = requests.filter((request) => !refusals.get(request))
  const { environment } = must(requests[0], 'request in a batch').scope
  const prompts = await openPromptBudget(
    tx,
    parts.settings,
    environment,
    payable.flatMap((request) => promptOf(request) ?? []),
  )
  const beginning: Beginning[] = []
  const begun = new Set<string>()
  const outcomes = requests.map((request): Outcome<undefined> => {
    const name = nameOf(request)
    const isTaken = begun.has(name) ? new Refusal('state_conflict') : undefined
    const error = refusals.get(request) ?? isTaken ?? takePrompt(prompts, request)
    if (error) return { error }
    begun.add(name)
    beginning.push({
      session: must(sessions.get(name), 'session of a payment'),
      request,
      supersedes: attempts.get(name)?.find(isInFlight)?.id,
    })
    return { answer: undefined }
  })
  prompts.save()
  const refusedByLinks = await closeSessionsRefusedByLinks(tx, parts, beginning)
  const starting = beginning.filter(({ request }) => !refusedByLinks.has(request))
  const starts = starting.map((each) => startOf(parts, each))
  const payments =
    starts.length > 0
      ? await startPayments(tx, parts, starts).catch((error) => refuseOne(error, requests))
      : []
  const paymentIdOf = new Map(starting.map(({ request }, i) => [request, payments[i]?.id]))
  return outcomes.map((outcome, i) => {
    const request = must(requests[i], 'request of an outcome')
    const error = refusedByLinks.get(request)
    if (error) return { error }
    return 'error' in outcome ? outcome : { answer: paymentIdOf.get(request) }
  })
}

/** An attempt that is about to start. `supersedes` is the attempt that is in flight at that time, if any. */
type Beginning = {
  session: Scoped<CheckoutSession>
  request: PayRequest
  supersedes: string | undefined
}

const crowdedWaitMs = 60_000

/**
 * Expires the sessions whose payment link accepts no more payments; their pages then say so. If the link is
 * only refusing the payer's IP address, which has used up its share of the link's slots, the session stays
 * open, so that the payer can try again later. A session with an attempt in flight already has its slot. Returns
 * the refusals.
 */
async function closeSessionsRefusedByLinks(
  tx: Tx,
  parts: PayingParts,
  beginning: Beginning[],
): Promise<Map<PayRequest, Refusal>> {
  const linked = beginning
    .filter(({ supersedes }) => supersedes === undefined)
    .flatMap(({ session, request }) =>
      linkedPayment(session, request.at).map((payment) => ({
        session,
        request,
        payment: { ...payment, address: request.address },
      })),
    )
  if (linked.length === 0) return new Map()
  const admitted = await parts.links.admit(
    tx,
    linked.map(({ payment }) => payment),
  )
  const full = linked.filter((_, i) => admitted[i] === 'full')
  const crowded = linked.filter((_, i) => admitted[i] === 'crowded')
  await closeSessions(
    tx,
    parts,
    full.map(({ session, request: { at } }) => ({ session, at })),
  )
  const later = tooManyRequests({ name: 'link-share-limit', waitMs: crowdedWaitMs })
  return new Map([
    ...full.map(({ request }) => [request, new Refusal('state_conflict')] as const),
    ...crowded.map(({ request }) => [request, later] as const),
  ])
}

const sessionOf = ({ scope, sessionId: id }: PayRequest) => ({ scope, id })
const nameOf = ({ scope, sessionId }: PayRequest) => globalName(scope, sessionId)

/**
 * Rethrows the error. However, if there are several requests, only one of them may have caused a conflict. A
 * plain error is then thrown instead of the conflict, so that each request is retried individually.
 */
function refuseOne(error: unknown, requests: PayRequest[]): never {
  if (requests.length > 1 && error instanceof Refusal && error.reason === 'state_conflict')
    throw new Error('one of these sessions has another payment in flight')
  throw error
}

/** Returns why an attempt cannot start, if it cannot. `attempts` are those of the session, newest first. */
function refusalOf(
  parts: Pick<PayingParts, 'connectors'>,
  session: CheckoutSession | undefined,
  attempts: Payment[],
  request: PayRequest,
): Refusal | undefined {
  if (!session) return new Refusal('not_found')
  const latest = attempts[0]
  const isAsSeen = request.isDialled || !latest || !isInFlight(latest) || request.supersedes === latest.id
  if (
    session.status !== 'pending' ||
    isPast(session, request.at) ||
    attempts.some(({ status }) => status === 'completed') ||
    !isAsSeen ||
    !canStartBeside(parts, request.scope, attempts, request.payer)
  )
    return new Refusal('state_conflict')
  return attempts.length >= maxAttempts ? new Refusal('too_many_requests') : undefined
}

const promptOf = ({ scope, payer: { type, account } }: PayRequest): Prompt | undefined =>
  type === 'momo' && account !== null ? { scope, phoneNumber: account } : undefined

function takePrompt(prompts: PromptBudget, request: PayRequest): PromptLimitReached | undefined {
  const prompt = promptOf(request)
  const waitMs = prompt && prompts.take(prompt)
  return waitMs === undefined ? undefined : new PromptLimitReached(waitMs)
}

/**
 * Returns the purpose of a payment, from which its rail reference is derived. If the session is lost in a
 * restore, the purpose stays the same when the merchant repeats the request, or when the payer makes the same
 * payment through the link again. There are two exceptions in which the purpose contains the session's id: card
 * payments through a link, because the payer cannot be recognized before paying, and older sessions, which have
 * no idempotency key.
 */
function referencePurpose(session: CheckoutSession, { account }: Payer): string {
  const { id, idempotencyKey, paymentLinkId, amount, reference } = session
  if (idempotencyKey === null || (paymentLinkId !== null && account === null)) return `checkout_session ${id}`
  if (paymentLinkId === null) return `checkout_request ${idempotencyKey}`
  return `payment_link ${JSON.stringify([idempotencyKey, account, String(amount), reference])}`
}

/** Returns the start of a payment for a session that may be paid. */
export const startOf = (
  parts: Pick<CheckoutParts, 'baseUrl' | 'seals'>,
  {
    session,
    request: { scope, payer, payee, at },
    supersedes,
  }: Pick<Beginning, 'session' | 'supersedes'> & {
    request: Pick<PayRequest, 'scope' | 'payer' | 'payee' | 'at'>
  },
) => ({
  origin: { type: 'checkout_session' as const, id: session.id, metadata: session.metadata },
  purpose: referencePurpose(session, payer),
  order: {
    id: session.orderId,
    number: session.orderNumber,
    name: session.name,
    amount: session.amount,
    currency: session.currency,
  },
  reference: session.reference,
  payee,
  financialAccountId: session.financialAccountId,
  supersedes,
  returnUrl: (paymentId: string) => returnUrl(parts, { scope, sessionId: session.id, paymentId }),
  ...payer,
  scope,
  at,
})
