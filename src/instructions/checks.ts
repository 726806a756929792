import { type Check, differencesTold, type Subject } from '../ledger/checks.ts'
import { sql } from '../platform/db/sql.ts'
import { along, since } from '../platform/db/walk.ts'
import { firstId } from '../platform/ids.ts'

const instructions: Subject = {
  all: [along(sql`instructions`, sql`space_id, environment, id`)],
  since: (at) => [since(sql`instructions`, sql`id`, sql`uuid`, firstId(at))],
}

/** The time of the Space's clock. */
const spaceNow = sql`
  (now() + coalesce((
    select clock.offset_ms from test_clocks clock
    where clock.space_id = instruction.space_id and clock.environment = instruction.environment), 0)
    * interval '1 millisecond')`

/** A second look comes after an hour, and the next a day after the submit; each again until its answer is clear. */
const longestWait = sql`case instruction.look when 'day' then interval '1 day' else interval '1 hour' end`

export const instructionChecks: Check[] = [
  {
    name: 'every instruction whose outcome is not known, or that failed within the last hour, will be asked about',
    about: instructions,
    differences: (rows) => sql`
      select instruction.space_id, instruction.environment, instruction.id, instruction.state, instruction.due_at
      from ${rows} instruction
      where (instruction.state in ('submitting', 'submitted', 'unknown')
          or (instruction.state = 'failed' and instruction.submitted_at + interval '1 hour' > ${spaceNow}))
        and (instruction.due_at is null or instruction.due_at > ${spaceNow} + ${longestWait} + interval '1 minute')
      limit ${differencesTold}`,
  },
]
