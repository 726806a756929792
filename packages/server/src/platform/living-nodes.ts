import type { Database } from './db/database.ts'
import type { Log } from './log.ts'
import { nodesChannel, selectLivingNodes } from './nodes.ts'
import { startRounds } from './repeat.ts'

/** The living nodes, as far as this node knows. */
export type LivingNodes = {
  /** Returns the number of nodes, at least 1. */
  count(): number
  /** Returns this node's share of a total. The shares of all nodes that run jobs add up to the total. */
  shareOf(total: number): number
  /** Starts to follow which nodes are alive. Until then, this node is the only one. */
  start(): Promise<void>
  stop(): Promise<void>
}

const pollEveryMs = 5_000 // time after which a node notices that another one has died

export function followLivingNodes({ db, log }: { db: Database; log: Log }): LivingNodes {
  let count = 1
  let working = [db.node]
  const stops: (() => unknown)[] = []
  const read = async () => {
    const living = await selectLivingNodes(db)
    count = new Set([...living.map(({ node }) => node), db.node]).size
    working = living.filter(({ works }) => works).map(({ node }) => node)
  }
  return {
    count: () => count,
    shareOf(total) {
      const rank = working.indexOf(db.node)
      if (working.length <= 1 || rank < 0) return total
      return Math.floor(total / working.length) + (rank < total % working.length ? 1 : 0)
    },
    async start() {
      if (stops.length > 0) return
      const rounds = startRounds({ everyMs: pollEveryMs, log }, read)
      stops.push(() => rounds.stop())
      stops.push(await db.onWake(nodesChannel, () => rounds.wake()))
    },
    async stop() {
      for (const stop of stops) await stop()
    },
  }
}
