import type { Database } from '../db/database.ts'
import { giveBackJobs, selectClaimants, selectClaimed, selectLiving } from './job-store.ts'
import { jobsChannel } from './queue.ts'

const pollAgainMs = 1_000
const maxAtOnce = 500 // limit: jobs of dead nodes given back at once
/** A job may have killed its node: so often that costs no wait. */
const freeDeaths = 1

/**
 * Gives back the jobs of dead nodes. A node that was missing twice in a row is dead: one that lost its connection has it
 * again by then. Returns after how many milliseconds to check again, if soon.
 */
export function createRecovery(db: Database): () => Promise<number | undefined> {
  let missing: number[] = []
  return async () => {
    const claimants = (await selectClaimants(db)).filter((node) => node !== db.node)
    const living = new Set(claimants.length > 0 ? await selectLiving(db) : [])
    const gone = claimants.filter((node) => !living.has(node))
    for (const node of gone.filter((node) => missing.includes(node))) await recover(db, node)
    missing = gone
    return missing.length > 0 ? pollAgainMs : undefined
  }
}

async function recover(db: Database, node: number): Promise<void> {
  const error = 'its node died'
  for (;;) {
    const jobs = (await selectClaimed(db, node, maxAtOnce)).map((job) => ({ ...job, error }))
    if (jobs.length === 0) return
    await giveBackJobs(db, node, jobs, { free: freeDeaths })
    db.wake(jobsChannel)
  }
}
