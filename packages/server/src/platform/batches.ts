import { AsyncLocalStorage } from 'node:async_hooks'
import { must } from '@pesewa/values'
import { LRUCache } from 'lru-cache'
import type { Bounds } from './db/database.ts'
import { isDatabaseUnavailable } from './db/failures.ts'
import { Refusal } from './refusals.ts'
import type { Scope } from './scope.ts'
import { currentSpan, inBatchSpan, type Span } from './tracing/spans.ts'

/** The outcome of one member of a batch: its answer or its error. */
export type Outcome<Answer> = { answer: Answer } | { error: unknown }

/** Returns the answers of the successful outcomes. */
export const answersOf = <Answer>(outcomes: Outcome<Answer>[]): Answer[] =>
  outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []))

/** Replaces each successful outcome with the next of the given answers, and keeps the errors. */
export function withAnswers<Sound, Answer>(outcomes: Outcome<Sound>[], made: Answer[]): Outcome<Answer>[] {
  const answers = made.map((answer) => ({ answer })).values()
  return outcomes.map((outcome) =>
    'error' in outcome ? outcome : must(answers.next().value, 'answer for a valid member'),
  )
}

/** Returns the answer of a batch's only member, or throws its error. */
export function onlyAnswer<Answer>([outcome]: Outcome<Answer>[]): Answer {
  const only = must(outcome, 'outcome')
  if ('error' in only) throw only.error
  return only.answer
}

export type Batches<Member, Answer> = {
  /**
   * Adds a member to a batch and returns its answer. `queue` is the batch key: only members with the same key
   * share batches.
   */
  submit(queue: string, member: Member): Promise<Answer>
}

/** Returns the batch key of a Space and environment. */
export const batchKeyOf = ({ spaceId, environment }: Scope) => `${environment} ${spaceId}`

type Options<Member, Answer> = {
  /**
   * Runs all members and returns their outcomes in the same order. It may throw only if it has done nothing, or
   * if running the members again is harmless.
   */
  run(members: Member[], bounds: Bounds): Promise<Outcome<Answer>[]>
  /**
   * Returns the tenant that a member belongs to, such as its Space. Needed if one batch key serves several
   * tenants: they take turns when a batch is full, and a tenant that makes a batch fail is isolated for a
   * while.
   */
  tenantOf?(member: Member): string
  /** Called with the size of each batch. */
  observe?(size: number): void
  /** Name of the batches in traces. Batches without a name are not traced. */
  name?: string
  maxBatch?: number
  /**
   * Maximum number of concurrent batches per batch key. If it is more than one, one batch can run while another
   * commits.
   */
  maxRunning?: number
  /**
   * Maximum number of waiting members across all batch keys. Further members are refused, and can be submitted
   * again.
   */
  maxWaiting?: number
  /** Time in milliseconds since its submission after which a member of a failed batch is refused. */
  retryLimitMs?: number
}

type Waiting<Member, Answer> = {
  member: Member
  part: string
  /** When the member was submitted, as returned by `performance.now()`. */
  since: number
  span: Span | undefined
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const apartMs = 10_000 // time for which a Space that failed a batch is isolated
const retryLimitMs = 15_000 // time since its submission after which a member of a failed batch is not retried
const maxApart = 10_000 // isolated Spaces that a node keeps track of
const sharedLockTimeoutMs = 1_000 // time for which a batch of several Spaces waits for a lock
/**
 * Number of parts that a failed batch is split into at each step. The splitting continues until the failing
 * tenant is alone in its part.
 */
const divisions = 25

/**
 * Implements group commit: members that arrive while a batch is running form the next batch. There are no
 * timers, so a single member runs immediately. Each member gets its own answer, and refusing one does not
 * affect the others. If a whole batch fails unexpectedly, it is split until each part belongs to one tenant.
 * The members of the failing tenant are then retried one by one. See docs/decisions/0014-group-commit.md.
 */
export function createBatches<Member, Answer>({
  run,
  tenantOf,
  observe = () => {},
  name: traceName,
  maxBatch = 500,
  maxRunning = 2, // concurrent batches per batch key
  maxWaiting = 10_000, // commands of one kind that can wait; further ones get a 503 with `Retry-After`
  retryLimitMs: limitMs = retryLimitMs,
}: Options<Member, Answer>): Batches<Member, Answer> {
  type Queue = { waiting: Waiting<Member, Answer>[]; running: number; isAwake: boolean }
  const queues = new Map<string, Queue>()
  // Created on first use: a node has over a hundred of these objects, and a cache allocates all of its memory
  // when it is created.
  let apart: LRUCache<string, true> | undefined
  const setApart = (part: string) => {
    apart ??= new LRUCache({ max: maxApart, ttl: apartMs })
    apart.set(part, true)
  }
  // A batch of several tenants must not run within the connection share of one of them.
  const outsideAnySpace = AsyncLocalStorage.snapshot()
  let waitingInAll = 0

  /**
   * Starts a batch at the end of this turn of the event loop, so that members submitted in the same turn share
   * it.
   */
  function wake(name: string, queue: Queue, isShared: boolean): void {
    if (queue.isAwake) return
    queue.isAwake = true
    setImmediate(() => {
      queue.isAwake = false
      if (isShared) outsideAnySpace(startNext, name, queue)
      else startNext(name, queue)
    })
  }

  function startNext(name: string, queue: Queue): void {
    if (queue.running >= maxRunning) return
    if (queue.waiting.length === 0) {
      if (queue.running === 0) queues.delete(name)
      return
    }
    const batch = removeFairly(queue.waiting, maxBatch)
    waitingInAll -= batch.length
    queue.running++
    observe(batch.length)
    void runBatch(name, batch).finally(() => {
      queue.running--
      startNext(name, queue)
    })
  }

  async function runBatch(name: string, batch: Waiting<Member, Answer>[]): Promise<void> {
    const parts = Map.groupBy(batch, ({ part }) => part)
    try {
      const bounds = parts.size > 1 ? { lockTimeoutMs: sharedLockTimeoutMs } : {}
      const members = batch.map(({ member }) => member)
      const outcomes = await (traceName === undefined
        ? run(members, bounds)
        : inBatchSpan(
            traceName,
            batch.map(({ span }) => span),
            () => run(members, bounds),
          ))
      batch.forEach(({ resolve, reject }, i) => {
        const outcome = must(outcomes[i], 'outcome of a batch member')
        if ('answer' in outcome) resolve(outcome.answer)
        else reject(outcome.error)
      })
    } catch (error) {
      if (tenantOf && parts.size === 1 && !isDatabaseUnavailable(error))
        for (const part of parts.keys()) setApart(part)
      // If the whole batch was refused, for example because the database is unavailable, retrying would only
      // repeat the refusal for each member.
      if (batch.length === 1 || error instanceof Refusal) for (const { reject } of batch) reject(error)
      else if (parts.size === 1) for (const one of batch) await retry(name, one, error)
      else await divide(name, [...parts.values()])
    }
  }

  /**
   * Retries a member on its own. If members wait for the same lock, each of them takes as long as the limit for
   * locks, so the last ones are refused instead.
   */
  async function retry(name: string, one: Waiting<Member, Answer>, cause: unknown): Promise<void> {
    if (performance.now() - one.since < limitMs) await runBatch(name, [one])
    else one.reject(new Refusal('service_unavailable', { headers: { 'retry-after': '1' }, cause }))
  }

  /**
   * Splits a failed batch and runs the parts. A tenant that is alone in its part is moved to a separate batch
   * key, so that no other tenant waits for it.
   */
  async function divide(name: string, parts: Waiting<Member, Answer>[][]): Promise<void> {
    const size = Math.ceil(parts.length / divisions)
    for (let first = 0; first < parts.length; first += size) {
      const some = parts.slice(first, first + size)
      if (some.length > 1) await runBatch(name, some.flat())
      else for (const one of some.flat()) enter(isolatedKey(name, one.part), one, true)
    }
  }

  function enter(name: string, one: Waiting<Member, Answer>, isShared: boolean): void {
    const queue = queues.get(name) ?? { waiting: [], running: 0, isAwake: false }
    queues.set(name, queue)
    queue.waiting.push(one)
    waitingInAll++
    wake(name, queue, isShared)
  }

  return {
    submit(queue, member) {
      if (waitingInAll >= maxWaiting) {
        const cause = new Error('too many requests are waiting for a batch')
        return Promise.reject(new Refusal('service_unavailable', { headers: { 'retry-after': '1' }, cause }))
      }
      const part = tenantOf?.(member) ?? ''
      const isShared = tenantOf !== undefined && !apart?.has(part)
      const name = tenantOf === undefined || isShared ? queue : isolatedKey(queue, part)
      const span = traceName === undefined ? undefined : currentSpan()?.child({ name: `batch ${traceName}` })
      const answer = new Promise<Answer>((resolve, reject) => {
        enter(name, { member, part, since: performance.now(), span, resolve, reject }, isShared)
      })
      return span ? span.until(answer) : answer
    },
  }
}

const isolatedKey = (queue: string, part: string) => `${queue} ${part}`

/** Removes and returns up to `atMost` members. If more are waiting, the tenants take turns. */
function removeFairly<One extends { part: string }>(waiting: One[], atMost: number): One[] {
  if (waiting.length <= atMost) return waiting.splice(0, atMost)
  const parts = Map.groupBy(waiting, ({ part }) => part)
  const turns = [...parts.values()].flatMap((ones) => ones.map((one, turn) => ({ one, turn })))
  const inTurns = turns.sort((one, other) => one.turn - other.turn).slice(0, atMost)
  const chosen = new Set(inTurns.map(({ one }) => one))
  const left = waiting.filter((one) => !chosen.has(one))
  const batch = waiting.filter((one) => chosen.has(one))
  waiting.splice(0, waiting.length, ...left)
  return batch
}
