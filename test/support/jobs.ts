const noSpace = '00000000-0000-0000-0000-000000000000'

/** From where to select jobs of Spaces that are to run now, are tried again, or run. */
export const queuedJobs = `jobs where space_id <> '${noSpace}' and (timing = 'real_time' or taken_by is not null)`

/** A statement that enqueues a job which belongs to no Space, behind the back of every node. */
export const addJob = (job: string) => `
  insert into jobs (space_id, environment, job, payload, timing, due_at)
  values ('${noSpace}', 'live', '${job}', '{}', 'real_time', now())`
