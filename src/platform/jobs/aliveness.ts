import type { Database } from '../db/database.ts'
import { giveBackJobs, selectLiving, selectTaken, selectTakers } from './job-store.ts'
import { jobsChannel } from './queue.ts'

const lookAgainMs = 1_000
const maxAtOnce = 500 // limit: jobs of dead nodes given back at once
/** A job may have taken its node with it: so often that costs no wait. */
const freeDeaths = 1

/**
 * Looks for jobs of nodes that live no more, and lets them wait again. A node that was missing twice in a row is dead: one
 * that lost its connection has it again by then. Returns after how many milliseconds to look again, if soon.
 */
export function createRecovery(db: Database): () => Promise<number | undefined> {
  let missing = new Set<number>()
  return async () => {
    const takers = (await selectTakers(db)).filter((node) => node !== db.node)
    if (takers.length === 0) {
      missing = new Set()
      return undefined
    }
    const living = new Set(await selectLiving(db))
    const gone = takers.filter((node) => !living.has(node))
    for (const node of gone.filter((node) => missing.has(node))) await recover(db, node)
    missing = new Set(gone)
    return missing.size > 0 ? lookAgainMs : undefined
  }
}

async function recover(db: Database, node: number): Promise<void> {
  const error = 'its node died'
  for (;;) {
    const jobs = await selectTaken(db, node, maxAtOnce)
    if (jobs.length === 0) return
    await giveBackJobs(
      db,
      node,
      jobs.map((job) => ({ ...job, error })),
      { free: freeDeaths },
    )
    db.wake(jobsChannel)
  }
}
