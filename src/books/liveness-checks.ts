import { type Check, differencesTold, type Subject } from '../platform/db/check.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { along } from '../platform/db/walk.ts'
import { firstId } from '../platform/ids.ts'
import { since } from '../spaces/since.ts'

/** What is open as long as `isOpen`, and the job that will look at it: its payload names the object by `key`. */
type Open = { name: string; table: Sql; isOpen: Sql; jobs: string[]; key: string }

/** The time of the Space's clock of row `object`. */
const spaceNow = sql`
  (now() + coalesce((
    select clock.offset_ms from test_clocks clock
    where clock.space_id = object.space_id and clock.environment = object.environment), 0) * interval '1 millisecond')`

const allOpen: Open[] = [
  {
    name: 'internal transfer that is planned',
    table: sql`internal_transfers`,
    isOpen: sql`object.status = 'pending' and object.execute_at > ${spaceNow}`,
    jobs: ['internal-transfers.execute'],
    key: 'transferId',
  },
  {
    name: 'checkout session whose time is not over',
    table: sql`checkout_sessions`,
    isOpen: sql`object.status = 'pending' and object.expires_at > ${spaceNow}`,
    jobs: ['checkout-session.expire'],
    key: 'sessionId',
  },
  {
    name: 'payment code whose time is not over',
    table: sql`payment_codes`,
    isOpen: sql`object.status in ('pending', 'processing') and object.expires_at > ${spaceNow}`,
    jobs: ['payment-code.expire'],
    key: 'codeId',
  },
  {
    name: 'USSD OTP whose time is not over',
    table: sql`ussd_otps`,
    isOpen: sql`object.status = 'pending' and object.expires_at > ${spaceNow}`,
    jobs: ['ussd-otp.expire'],
    key: 'otpId',
  },
]

const newest = (table: Sql): Subject => ({
  all: [along(table, sql`space_id, environment, id`)],
  since: (at) => [since(table, sql`id`, sql`uuid`, firstId(at))],
})

/** That nothing is forgotten: a job is written in the transaction of its cause, and goes in that of its effect. */
export const livenessChecks: Check[] = allOpen.map(({ name, table, isOpen, jobs, key }) => ({
  name: `every ${name} has a job that will look at it`,
  about: newest(table),
  // Whatever is open is compared with all jobs at once: PostgreSQL hashes them, once a statement, where it has to.
  differences: (rows) => sql`
    -- every space: the ids of objects are unique
    select object.space_id, object.environment, object.id, object.status
    from ${rows} object
    where ${isOpen} and object.id::text not in (
      select coalesce(job.payload ->> ${key}, '') from jobs job where job.job = any (${jobs}::text[]))
    limit ${differencesTold}`,
}))
