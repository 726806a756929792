import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import type { Bounds } from './db/database.ts'
import { isAway } from './db/failures.ts'
import { must } from './must.ts'
import { Refusal } from './refusals.ts'
import type { Scope } from './scope.ts'

/** Of one member of a batch. */
export type Outcome<Answer> = { answer: Answer } | { error: unknown }

/** The same outcomes, with what was made of the members that were sound, in their order. */
export function answeredBy<Sound, Answer>(outcomes: Outcome<Sound>[], made: Answer[]): Outcome<Answer>[] {
  const answers = made.map((answer) => ({ answer })).values()
  return outcomes.map((outcome) =>
    'error' in outcome ? outcome : must(answers.next().value, 'answer to a member that was sound'),
  )
}

/** The answer to the only member of a batch, or its error is thrown. */
export function onlyAnswer<Answer>([outcome]: Outcome<Answer>[]): Answer {
  const only = must(outcome, 'outcome')
  if ('error' in only) throw only.error
  return only.answer
}

export type Batches<Member, Answer> = {
  /** Members of one lane run together; lanes know nothing of each other. */
  submit(lane: string, member: Member): Promise<Answer>
}

/** The lane of a Space and environment. */
export const laneOf = ({ spaceId, environment }: Scope) => `${environment} ${spaceId}`

type Options<Member, Answer> = {
  /**
   * Carries out all members and returns the outcome of each, in their order. When it throws, nothing was done, or
   * doing it again is harmless.
   */
  run(members: Member[], bounds: Bounds): Promise<Outcome<Answer>[]>
  /**
   * What a member is part of, where a lane has members of several: a Space, say. Where not all that wait find room in a
   * batch, the parts take turns; the part whose fault it is that a batch fails runs in a lane of its own for a while.
   */
  partOf?(member: Member): string
  /** Called with the size of every batch. */
  observe?(size: number): void
  maxBatch?: number
  /** Batches of one lane that run at once: while one commits, the next is on its way. */
  maxRunning?: number
  /** Members of all lanes that wait at most; more are refused and may come again. */
  maxWaiting?: number
}

type Waiting<Member, Answer> = {
  member: Member
  part: string
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const apartMs = 10_000 // limit: how long a Space at fault runs alone in its lane
const maxApart = 10_000 // limit: Spaces at fault that a node remembers
const sharedLockTimeoutMs = 1_000 // limit: time that a batch of several Spaces waits for a lock
/** Into how many a batch that failed is divided, until the part whose fault it was is alone. */
const divisions = 25

/**
 * Group commit: what comes while a batch is under way becomes the next one. Nothing waits for a timer; alone, a member
 * runs at once. Each gets its own answer, and a refused one does not hurt its neighbours. When a whole batch fails
 * unexpectedly it is divided until each part is alone, and then its members are run again one by one.
 */
export function createBatches<Member, Answer>({
  run,
  partOf,
  observe = () => {},
  maxBatch = 500, // limit: commands in a batch
  maxRunning = 2, // limit: batches of one key that run at once
  maxWaiting = 10_000, // limit: queued commands of one kind; more get 503 with `Retry-After`
}: Options<Member, Answer>): Batches<Member, Answer> {
  type Lane = { waiting: Waiting<Member, Answer>[]; running: number; isAwake: boolean }
  const lanes = new Map<string, Lane>()
  // Made when first needed: a node has more than a hundred lots of batches, and a cache takes all its room at once.
  let apart: LRUCache<string, true> | undefined
  const setApart = (part: string) => {
    apart ??= new LRUCache({ max: maxApart, ttl: apartMs })
    apart.set(part, true)
  }
  // What many share is done in nobody's name: it takes no place that only one of them has.
  const inNobodysName = AsyncLocalStorage.snapshot()
  let waitingInAll = 0

  /** At the end of this turn of the event loop: what came in the same turn goes together. */
  function wake(name: string, lane: Lane, isShared: boolean): void {
    if (lane.isAwake) return
    lane.isAwake = true
    setImmediate(() => {
      lane.isAwake = false
      if (isShared) inNobodysName(startNext, name, lane)
      else startNext(name, lane)
    })
  }

  function startNext(name: string, lane: Lane): void {
    if (lane.running >= maxRunning) return
    if (lane.waiting.length === 0) {
      if (lane.running === 0) lanes.delete(name)
      return
    }
    const batch = removeFairly(lane.waiting, maxBatch)
    waitingInAll -= batch.length
    lane.running++
    observe(batch.length)
    void settle(name, batch).finally(() => {
      lane.running--
      startNext(name, lane)
    })
  }

  async function settle(name: string, batch: Waiting<Member, Answer>[]): Promise<void> {
    const parts = Map.groupBy(batch, ({ part }) => part)
    try {
      const bounds = parts.size > 1 ? { lockTimeoutMs: sharedLockTimeoutMs } : {}
      const outcomes = await run(
        batch.map(({ member }) => member),
        bounds,
      )
      batch.forEach(({ resolve, reject }, i) => {
        const outcome = must(outcomes[i], 'outcome of a member')
        if ('answer' in outcome) resolve(outcome.answer)
        else reject(outcome.error)
      })
    } catch (error) {
      if (partOf && parts.size === 1 && !isAway(error)) for (const part of parts.keys()) setApart(part)
      // A refusal that meets the whole batch, as of a database that is away, would meet each of them again.
      if (batch.length === 1 || error instanceof Refusal) for (const { reject } of batch) reject(error)
      else if (parts.size === 1) for (const one of batch) await settle(name, [one])
      else await divide(name, [...parts.values()])
    }
  }

  /** Whoever is alone goes on in a lane of its own: whatever it waits for, the others do not. */
  async function divide(name: string, parts: Waiting<Member, Answer>[][]): Promise<void> {
    const size = Math.ceil(parts.length / divisions)
    for (let first = 0; first < parts.length; first += size) {
      const some = parts.slice(first, first + size)
      if (some.length > 1) await settle(name, some.flat())
      else for (const one of some.flat()) enter(ownLane(name, one.part), one, true)
    }
  }

  function enter(name: string, one: Waiting<Member, Answer>, isShared: boolean): void {
    const lane = lanes.get(name) ?? { waiting: [], running: 0, isAwake: false }
    lanes.set(name, lane)
    lane.waiting.push(one)
    waitingInAll++
    wake(name, lane, isShared)
  }

  return {
    submit(lane, member) {
      if (waitingInAll >= maxWaiting)
        return Promise.reject(new Refusal('service_unavailable', { headers: { 'retry-after': '1' } }))
      const part = partOf?.(member) ?? ''
      const isShared = partOf !== undefined && !apart?.has(part)
      const name = partOf === undefined || isShared ? lane : ownLane(lane, part)
      return new Promise((resolve, reject) => {
        enter(name, { member, part, resolve, reject }, isShared)
      })
    },
  }
}

const ownLane = (lane: string, part: string) => `${lane} ${part}`

/** Removes so many: where more wait, of each part the first, then the second of each, and so on. */
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
