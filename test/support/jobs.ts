const noSpace = '00000000-0000-0000-0000-000000000000'

/** A `from` clause for jobs of Spaces that are ready to run, waiting for a retry, or running. */
export const queuedJobs = `jobs where space_id <> '${noSpace}' and (timing = 'real_time' or taken_by is not null)`

/** Returns a statement that enqueues a job that belongs to no Space, without notifying any node. */
export const addJob = (job: string) => `
  insert into jobs (space_id, environment, job, payload, timing, due_at)
  values ('${noSpace}', 'live', '${job}', '{}', 'real_time', now())`
