import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { createTurns } from '../platform/turns.ts'

export type Rail = { providerId: string; environment: Environment }

/**
 * What this node has under way with each rail, beside its jobs: one that takes long to answer keeps no place in the queue,
 * and nobody else's work waits for it.
 */
export type Rails = {
  /** Asks in turn what became of something, and does not wait for it; too many are left to their next round. */
  ask(rail: Rail, question: () => Promise<void>): void
  /** A place to collect, if one is free now. */
  findPlace(rail: Rail): Place | undefined
  /** Waits for what is under way now. */
  settled(): Promise<void>
  /** The same, for a while: after that a query finds out. */
  close(): Promise<void>
}

/** To be used once or given back. */
export type Place = { use(collecting: () => Promise<void>): void; giveBack(): void }

/** Of one rail. */
const maxCollectionsAtOnce = 16
const maxQuestionsAtOnce = 8
const maxQuestionsWaiting = 10_000
const closeLimitMs = 5_000

type Lines = { places: number; inTurn: ReturnType<typeof createTurns>; waiting: number }

export function createRails(log: Log): Rails {
  const byName = new Map<string, Lines>()
  const underWay = new Set<Promise<void>>()
  const linesOf = ({ environment, providerId }: Rail) => {
    const name = `${environment} ${providerId}`
    const lines = byName.get(name) ?? {
      places: maxCollectionsAtOnce,
      inTurn: createTurns(maxQuestionsAtOnce),
      waiting: 0,
    }
    byName.set(name, lines)
    return lines
  }
  const follow = ({ providerId }: Rail, work: Promise<void>, done: () => void) => {
    const followed = work
      .catch((err) => log.error({ err, provider: providerId }, 'what a rail answered was not recorded'))
      .finally(() => {
        underWay.delete(followed)
        done()
      })
    underWay.add(followed)
  }
  const settled = async () => void (await Promise.all(underWay))
  return {
    ask(rail, question) {
      const lines = linesOf(rail)
      if (lines.waiting >= maxQuestionsWaiting) return
      lines.waiting++
      follow(rail, lines.inTurn(question), () => lines.waiting--)
    },
    findPlace(rail) {
      const lines = linesOf(rail)
      if (lines.places === 0) return undefined
      lines.places--
      const giveBack = () => void lines.places++
      return { use: (collecting) => follow(rail, collecting(), giveBack), giveBack }
    },
    settled,
    close: () => Promise.race([settled(), sleep(closeLimitMs, undefined, { ref: false })]),
  }
}
