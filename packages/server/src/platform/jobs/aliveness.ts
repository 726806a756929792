import type { Database } from '../db/database.ts'
import { releaseJobs, selectClaimants, selectClaimed, selectLiving } from './job-store.ts'
import { jobsChannel } from './queue.ts'

const pollAgainMs = 1_000
const maxAtOnce = 500 // jobs of a dead node that are released together
/**
 * Number of times that the node that runs a job can die before the job is delayed. After more deaths, the job
 * itself may be the cause.
 */
const freeDeaths = 1

/**
 * Returns a function that releases the jobs of dead nodes. A node is considered dead if it is missing from two
 * checks in a row, because a lost connection would have been reopened by then. The function returns the number
 * of milliseconds until the next check, if there should be one soon.
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
  const error = 'the node running it died'
  for (;;) {
    const jobs = (await selectClaimed(db, node, maxAtOnce)).map((job) => ({ ...job, error }))
    if (jobs.length === 0) return
    await releaseJobs(db, node, jobs, { free: freeDeaths })
    db.wake(jobsChannel)
  }
}
