import type { Scope } from './clock.ts'
import { Refusal } from './refusals.ts'

/** What became of one member of a batch. */
export type Outcome<Answer> = { answer: Answer } | { error: unknown }

export type Batches<Member, Answer> = {
  /** Members of one lane run together; lanes know nothing of each other. */
  submit(lane: string, member: Member): Promise<Answer>
}

/** The lane of a Space and environment. */
export const laneOf = ({ spaceId, environment }: Scope) => `${environment} ${spaceId}`

type Options<Member, Answer> = {
  /**
   * Carries out all members and answers what became of each, in their order. When it throws, nothing was done, or
   * doing it again is harmless.
   */
  run(members: Member[]): Promise<Outcome<Answer>[]>
  /** Told the size of every batch. */
  observe?(size: number): void
  maxBatch?: number
  /** Batches of one lane that run at once: while one commits, the next is on its way. */
  maxRunning?: number
  /** Members of all lanes that wait at most; more are refused and may come again. */
  maxWaiting?: number
}

type Waiting<Member, Answer> = {
  member: Member
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Group commit: what comes while a batch is under way becomes the next one. Nothing waits for a timer; alone, a member
 * runs at once. Each gets its own answer, and a refused one does not hurt its neighbours. When a whole batch fails
 * unexpectedly its members are run again one by one.
 */
export function createBatches<Member, Answer>({
  run,
  observe = () => {},
  maxBatch = 500,
  maxRunning = 2,
  maxWaiting = 10_000,
}: Options<Member, Answer>): Batches<Member, Answer> {
  type Lane = { waiting: Waiting<Member, Answer>[]; running: number; isAwake: boolean }
  const lanes = new Map<string, Lane>()
  let waitingInAll = 0

  /** At the end of this turn of the event loop: what came in the same turn goes together. */
  function wake(name: string, lane: Lane): void {
    if (lane.isAwake) return
    lane.isAwake = true
    setImmediate(() => {
      lane.isAwake = false
      startNext(name, lane)
    })
  }

  function startNext(name: string, lane: Lane): void {
    if (lane.running >= maxRunning) return
    if (lane.waiting.length === 0) {
      if (lane.running === 0) lanes.delete(name)
      return
    }
    const batch = lane.waiting.splice(0, maxBatch)
    waitingInAll -= batch.length
    lane.running++
    observe(batch.length)
    void settle(batch, run).finally(() => {
      lane.running--
      startNext(name, lane)
    })
  }

  return {
    submit(name, member) {
      if (waitingInAll >= maxWaiting)
        return Promise.reject(new Refusal('service_unavailable', { headers: { 'retry-after': '1' } }))
      const lane = lanes.get(name) ?? { waiting: [], running: 0, isAwake: false }
      lanes.set(name, lane)
      waitingInAll++
      return new Promise((resolve, reject) => {
        lane.waiting.push({ member, resolve, reject })
        wake(name, lane)
      })
    },
  }
}

async function settle<Member, Answer>(
  batch: Waiting<Member, Answer>[],
  run: (members: Member[]) => Promise<Outcome<Answer>[]>,
): Promise<void> {
  try {
    const outcomes = await run(batch.map(({ member }) => member))
    batch.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i]!
      if ('answer' in outcome) resolve(outcome.answer)
      else reject(outcome.error)
    })
  } catch (error) {
    // A refusal that meets the whole batch, as of a database that is away, would meet each of them again.
    if (batch.length === 1 || error instanceof Refusal) for (const { reject } of batch) reject(error)
    else for (const one of batch) await settle([one], run)
  }
}
