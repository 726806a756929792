import { must } from '@pesewa/values'
import type { Agent } from 'undici'
import type { Environment, Scope } from '../../platform/scope.ts'
import { inTrace, type Span } from '../../platform/tracing/spans.ts'
import { type EventEnvelope, type EventParts, envelopesOf } from '../event-envelope.ts'
import { selectEventsAt } from '../event-store.ts'
import type { AttemptBudget } from './attempt-budget.ts'
import { type AttemptOutcome, attemptOf, isSuccess, nextStep, pauseEnd } from './deliveries.ts'
import { type AttemptResult, type DueDelivery, selectDue, selectProbe } from './delivery-store.ts'
import type { FailureRuns } from './failure-runs.ts'
import { postEvent } from './message.ts'
import { type DisabledReason, markFailing, markWorking, pause, selectWebhook, type Webhook } from './store.ts'
import { disableWebhook } from './webhooks.ts'

export type WorkerParts = EventParts & {
  /** HTTP clients for outbound requests, guarded as each environment requires. */
  peers: Record<Environment, Agent>
  record(result: AttemptResult): Promise<void>
  budget: AttemptBudget
  failureRuns: FailureRuns
  /** Limits the number of concurrent reads, so that workers leave database connections for requests. */
  limitReads<T>(work: () => Promise<T>): Promise<T>
  /** Schedules a poll for the next attempt of this Space at the given wall-clock time. */
  pollAt(scope: Scope, realTimeMs: number): void
}

const refillAt = 8
const refillTo = 50
/**
 * Maximum number of concurrent attempts. Attempts are made concurrently only while many deliveries are waiting.
 * As long as the receiver keeps up, there is only one attempt at a time, which preserves the order.
 */
const maxInFlight = 16 // limit: concurrent attempts to one endpoint
const waitingForEach = 4
/** Number of consecutive failures after which only one attempt is made at a time. */
const failuresToNarrow = 3
/**
 * Number of consecutive failures after which the endpoint is paused. After each pause, a single delivery is
 * attempted, until one succeeds.
 */
const failuresToPause = 20 // consecutive failures after which a webhook is paused
const disabledAfterMs = 5 * 24 * 60 * 60 * 1000 // limit: how long a webhook can fail before it is disabled

type Waiting = DueDelivery & { event: EventEnvelope }

/** Sends the due deliveries of an endpoint, in the order of their events as far as retries allow. */
export class DeliveryWorker {
  readonly scope: Scope
  readonly webhookId: string
  readonly #parts: WorkerParts
  readonly #inFlight = new Map<string, Promise<void>>()
  #webhook: Webhook | undefined
  #waiting: Waiting[] = []
  #mayBeMore = true
  /** True if a single delivery is being used to test whether the endpoint works again. */
  #isProbing: boolean
  #isPaused = false
  #isStopped = false
  #isToMakeRoom = false
  #failure: unknown
  #changed = Promise.withResolvers<void>()

  /** `wasFailing` is true if the endpoint was failing when the worker was started. */
  constructor(parts: WorkerParts, scope: Scope, webhookId: string, wasFailing: boolean) {
    this.#parts = parts
    this.scope = scope
    this.webhookId = webhookId
    this.#isProbing = wasFailing
  }

  get isFailing(): boolean {
    return this.#isProbing || this.#failuresInARow >= failuresToNarrow
  }

  get #failuresInARow(): number {
    return this.#parts.failureRuns.lengthOf(this.webhookId, this.#parts.clock.now(this.scope))
  }

  /**
   * True if the worker stopped early to make room for other endpoints, although it has more to send, now or
   * after a pause.
   */
  get hasYielded(): boolean {
    return (this.#isToMakeRoom || this.#isPaused) && !this.#isStopped
  }

  /** Called when new deliveries may be due. */
  wake(): void {
    this.#mayBeMore = true
    this.#changed.resolve()
  }

  /** Makes the worker stop soon and leave its remaining deliveries for later. */
  makeRoom(): void {
    this.#isToMakeRoom = true
    this.#changed.resolve()
  }

  /** Prevents the worker from starting further attempts. */
  stop(): void {
    this.#isStopped = true
    this.#changed.resolve()
  }

  /** Runs until no delivery is due and no attempt is in progress. Throws only internal errors. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#mayBeMore && this.#waiting.length < refillAt)
        await this.#parts.limitReads(() => this.#refill())
      if (!this.#webhook?.enabled || this.hasYielded) break
      const isHeld = this.#beginSome()
      const isIdle = this.#inFlight.size === 0 && !isHeld
      if (isIdle && !this.#mayBeMore) break
      if (!isIdle) await this.#nextChange()
    }
    await Promise.all(this.#inFlight.values())
    if (this.#failure) throw this.#failure
  }

  /** Starts as many attempts as are currently allowed. Returns whether the Space's budget has been used up. */
  #beginSome(): boolean {
    const { budget } = this.#parts
    while (this.#inFlight.size < this.#window()) {
      const [next] = this.#waiting
      if (!next) return false
      const waitMs = budget.take(this.scope, this.isFailing || this.#failuresInARow > 0, Date.now())
      if (waitMs > 0) {
        setTimeout(() => this.#changed.resolve(), waitMs).unref()
        return true
      }
      this.#waiting.shift()
      this.#begin(next)
    }
    return false
  }

  #window(): number {
    if (this.isFailing) return 1
    return Math.min(maxInFlight, 1 + Math.trunc(this.#waiting.length / waitingForEach))
  }

  async #nextChange(): Promise<void> {
    await this.#changed.promise
    this.#changed = Promise.withResolvers()
  }

  async #refill(): Promise<void> {
    const { db, clock, findLines } = this.#parts
    this.#mayBeMore = false
    this.#webhook = await selectWebhook(db, this.scope, this.webhookId)
    if (!this.#webhook?.enabled) return
    const now = clock.now(this.scope)
    const { pausedUntil } = this.#webhook
    this.#isProbing = pausedUntil !== null
    const inHand = [...this.#inFlight.keys(), ...this.#waiting.map(({ id }) => id)]
    const due = pausedUntil
      ? await this.#selectProbe(pausedUntil, now)
      : await selectDue(db, this.scope, this.webhookId, now, inHand, refillTo)
    if (due.length === refillTo) this.#mayBeMore = true
    const rows = await selectEventsAt(db, this.scope, due)
    const events = await envelopesOf(db, findLines, this.scope, rows)
    const byPosition = new Map(events.map((event) => [event.position, event]))
    for (const delivery of due) {
      const event = byPosition.get(delivery.position)
      if (event) this.#waiting.push({ ...delivery, event })
    }
  }

  /** Once the pause has ended, selects a single delivery, provided that no other is waiting or in progress. */
  async #selectProbe(pausedUntil: Date, now: Date): Promise<DueDelivery[]> {
    if (pausedUntil > now || this.#inFlight.size > 0 || this.#waiting.length > 0) return []
    return selectProbe(this.#parts.db, this.scope, this.webhookId, now)
  }

  #begin(waiting: Waiting): void {
    const attempt = this.#attempt(waiting)
      .catch((error: unknown) => {
        this.#failure = error
        this.#isStopped = true
      })
      .finally(() => {
        this.#inFlight.delete(waiting.id)
        this.#changed.resolve()
      })
    this.#inFlight.set(waiting.id, attempt)
  }

  #attempt(waiting: Waiting): Promise<void> {
    return inTrace(
      this.#parts.tracing,
      () => ({
        name: 'deliver webhook',
        kind: 'client',
        about: waiting.event.head.object.id,
        attributes: { eventType: waiting.event.type, attempt: waiting.tries + 1, ...this.scope },
      }),
      (span) => this.#attemptTraced(waiting, span),
    )
  }

  async #attemptTraced({ id, position, tries, event }: Waiting, span: Span | undefined): Promise<void> {
    const { clock, peers, record, pollAt } = this.#parts
    // Keeps a reference to the current endpoint, which may be changed or removed during the attempt.
    const webhook = must(this.#webhook, 'endpoint of a worker')
    const startedAt = performance.now()
    const outcome = await postEvent(this.#parts, peers[this.scope.environment], this.scope, webhook, event)
    const durationMs = Math.round(performance.now() - startedAt)
    const now = clock.now(this.scope)
    const step = nextStep(outcome, tries + 1, now)
    const attempt = attemptOf(outcome, now, durationMs)
    span?.set({ outcome: step.status, status: attempt.statusCode ?? undefined })
    if (!isSuccess(outcome)) span?.fail()
    await record({
      scope: this.scope,
      webhookId: webhook.id,
      id,
      position,
      tries: tries + 1,
      ...step,
      attempt,
    })
    if (step.nextAttemptAt) pollAt(this.scope, Date.now() + step.nextAttemptAt.getTime() - now.getTime())
    await this.#judge(webhook, outcome, now)
  }

  /** Updates the state of the endpoint according to the outcome of an attempt. */
  async #judge(webhook: Webhook, outcome: AttemptOutcome, now: Date): Promise<void> {
    const { db, failureRuns } = this.#parts
    if (isSuccess(outcome)) {
      failureRuns.end(webhook.id)
      this.#isPaused = false
      if (webhook.failingSince || webhook.pausedUntil) {
        await db.transaction((tx) => markWorking(tx, this.scope, webhook.id))
        webhook.failingSince = webhook.pausedUntil = null
        // All deliveries that had been postponed are now due.
        this.#mayBeMore = true
      }
      return
    }
    failureRuns.count(webhook.id, now)
    if ('response' in outcome && outcome.response.status === 410) return this.#disable('gone', now)
    const failingSince = webhook.failingSince ?? now
    if (now.getTime() - failingSince.getTime() >= disabledAfterMs) return this.#disable('failing', now)
    if (!webhook.failingSince) {
      webhook.failingSince = now
      await db.transaction((tx) => markFailing(tx, this.scope, webhook.id, now))
    }
    if (webhook.pausedUntil || this.#failuresInARow >= failuresToPause)
      await this.#pause(webhook, pauseEnd(outcome, failingSince, now), now)
  }

  /** Pauses the endpoint once. Concurrent attempts that fail later do not extend the pause. */
  async #pause({ id }: Webhook, until: Date, now: Date): Promise<void> {
    if (this.#isPaused) return
    this.#isPaused = true
    await this.#parts.db.transaction((tx) => pause(tx, this.scope, id, until))
    this.#parts.pollAt(this.scope, Date.now() + until.getTime() - now.getTime())
  }

  async #disable(reason: DisabledReason, now: Date): Promise<void> {
    await this.#parts.db.transaction((tx) => disableWebhook(tx, this.scope, this.webhookId, reason, now))
    if (this.#webhook) this.#webhook.enabled = false
  }
}
