import type { Agent } from 'undici'
import { must } from '../../platform/must.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { type EventEnvelope, type EventParts, envelopesOf } from '../event-envelope.ts'
import { selectEventsAt } from '../event-store.ts'
import { type AttemptOutcome, attemptOf, isSuccess, nextStep } from './deliveries.ts'
import { type AttemptResult, type DueDelivery, selectDue } from './delivery-store.ts'
import { postEvent } from './message.ts'
import { type DisabledReason, markFailing, selectWebhook, type Webhook } from './store.ts'
import { disableWebhook } from './webhooks.ts'

export type LaneParts = EventParts & {
  /** Connections to the outside, as strictly guarded as the environment requires. */
  peers: Record<Environment, Agent>
  record(result: AttemptResult): Promise<void>
  /** Bounds reads at once, so that many lanes leave connections to requests. */
  limitReads<T>(work: () => Promise<T>): Promise<T>
  /** An attempt of this Space is due then, by real time. */
  pollAt(scope: Scope, realTimeMs: number): void
}

const refillAt = 8
const refillTo = 50
/** Attempts at once, where many wait. While the receiver keeps up there is one, so that the order holds. */
const maxInFlight = 16 // limit: attempts at once to one endpoint
const waitingForEach = 4
/** After so many failures in a row there is one at a time; and after so many more the lane makes room for others. */
const failuresToNarrow = 3
const failuresToYield = 10
const disabledAfterMs = 5 * 24 * 60 * 60 * 1000 // limit: how long an endpoint fails until it is disabled

type Waiting = DueDelivery & { event: EventEnvelope }

/** Sends what is due of one endpoint, in the order of events as far as retries allow. */
export class Lane {
  readonly scope: Scope
  readonly webhookId: string
  readonly #parts: LaneParts
  readonly #inFlight = new Map<string, Promise<void>>()
  #webhook: Webhook | undefined
  #waiting: Waiting[] = []
  #mayBeMore = true
  #failuresInARow = 0
  #isStopped = false
  #isToMakeRoom = false
  #failure: unknown
  #changed = Promise.withResolvers<void>()

  constructor(parts: LaneParts, scope: Scope, webhookId: string) {
    this.#parts = parts
    this.scope = scope
    this.webhookId = webhookId
  }

  get isFailing(): boolean {
    return this.#failuresInARow >= failuresToNarrow
  }

  /** Ended to make room for others, with more to send. */
  get hasYielded(): boolean {
    return (this.#isToMakeRoom || this.#failuresInARow >= failuresToYield) && !this.#isStopped
  }

  /** Something new may be due. */
  wake(): void {
    this.#mayBeMore = true
    this.#changed.resolve()
  }

  /** Ends soon, with more to send. */
  makeRoom(): void {
    this.#isToMakeRoom = true
    this.#changed.resolve()
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopped = true
    this.#changed.resolve()
  }

  /** Ends when nothing is due any more and no attempt is under way. Throws what is our own fault. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#mayBeMore && this.#waiting.length < refillAt)
        await this.#parts.limitReads(() => this.#refill())
      if (!this.#webhook?.enabled || this.hasYielded) break
      while (this.#inFlight.size < this.#window()) {
        const next = this.#waiting.shift()
        if (!next) break
        this.#begin(next)
      }
      if (this.#inFlight.size === 0 && !this.#mayBeMore) break
      if (this.#inFlight.size > 0) await this.#nextChange()
    }
    await Promise.all(this.#inFlight.values())
    if (this.#failure) throw this.#failure
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
    const inHand = [...this.#inFlight.keys(), ...this.#waiting.map(({ id }) => id)]
    const due = await selectDue(db, this.scope, this.webhookId, clock.now(this.scope), inHand, refillTo)
    if (due.length === refillTo) this.#mayBeMore = true
    const rows = await selectEventsAt(
      db,
      this.scope,
      due.map(({ position }) => position),
    )
    const events = await envelopesOf(db, findLines, this.scope, rows)
    const byPosition = new Map(events.map((event) => [event.position, event]))
    for (const delivery of due) {
      const event = byPosition.get(delivery.position)
      if (event) this.#waiting.push({ ...delivery, event })
    }
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

  async #attempt({ id, position, tries, event }: Waiting): Promise<void> {
    const { clock, peers, record, pollAt } = this.#parts
    // As it is now: it may be changed or removed while the attempt is under way.
    const webhook = must(this.#webhook, 'endpoint of a lane')
    const startedAt = performance.now()
    const outcome = await postEvent(this.#parts, peers[this.scope.environment], this.scope, webhook, event)
    const durationMs = Math.round(performance.now() - startedAt)
    const now = clock.now(this.scope)
    const step = nextStep(outcome, tries + 1, now)
    const attempt = attemptOf(outcome, now, durationMs)
    await record({ scope: this.scope, id, position, tries: tries + 1, ...step, attempt })
    if (step.nextAttemptAt) pollAt(this.scope, Date.now() + step.nextAttemptAt.getTime() - now.getTime())
    await this.#judge(webhook, outcome, now)
  }

  /** Judges the endpoint by an attempt. */
  async #judge(webhook: Webhook, outcome: AttemptOutcome, now: Date): Promise<void> {
    const { db } = this.#parts
    const mark = (since: Date | null) => {
      webhook.failingSince = since
      return db.transaction((tx) => markFailing(tx, this.scope, webhook.id, since))
    }
    if (isSuccess(outcome)) {
      this.#failuresInARow = 0
      if (webhook.failingSince) await mark(null)
      return
    }
    this.#failuresInARow++
    if ('response' in outcome && outcome.response.status === 410) return this.#disable('gone', now)
    if (!webhook.failingSince) await mark(now)
    else if (now.getTime() - webhook.failingSince.getTime() >= disabledAfterMs)
      await this.#disable('failing', now)
  }

  async #disable(reason: DisabledReason, now: Date): Promise<void> {
    await this.#parts.db.transaction((tx) => disableWebhook(tx, this.scope, this.webhookId, reason, now))
    if (this.#webhook) this.#webhook.enabled = false
  }
}
