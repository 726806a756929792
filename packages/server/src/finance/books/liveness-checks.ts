import { spaceNow } from '../../platform/clock.ts'
import type { Check } from '../../platform/db/check.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'

/**
 * A type of object. An object is open while `isOpen` is true; `job` is the job that ends this state. The field
 * `key` of the job's payload contains the object's id.
 */
type Open = { name: string; table: Sql; isOpen: Sql; job: string; key: string }

const now = spaceNow(sql`object`)

const expiring = (name: string, table: Sql, status: Sql, job: string, key: string): Open => ({
  name: `${name} that has not expired`,
  table,
  isOpen: sql`object.status ${status} and object.expires_at > ${now}`,
  job,
  key,
})
const pending = sql`= 'pending'`

const allOpen: Open[] = [
  {
    name: 'scheduled internal transfer',
    table: sql`internal_transfers`,
    isOpen: sql`object.status = 'pending' and object.execute_at > ${now}`,
    job: 'internal-transfers.execute',
    key: 'transferId',
  },
  expiring('checkout session', sql`checkout_sessions`, pending, 'checkout-session.expire', 'sessionId'),
  expiring(
    'payment link',
    sql`payment_links`,
    sql`in ('active', 'inactive')`,
    'payment-link.expire',
    'linkId',
  ),
  // The code of a checkout session ends with its session.
  expiring(
    'payment code',
    sql`payment_codes`,
    sql`in ('pending', 'processing') and object.checkout_session_id is null`,
    'payment-code.expire',
    'codeId',
  ),
  expiring('USSD OTP', sql`ussd_otps`, pending, 'ussd-otp.expire', 'otpId'),
]

/**
 * Verifies that every open object has the job that ends its open state. A job is written in the transaction
 * that makes it necessary, and removed in the transaction that completes it.
 */
export const livenessChecks: Check[] = allOpen.map(({ name, table, isOpen, job, key }) => ({
  name: `every ${name} has a job that will handle it`,
  about: tableSubject(table),
  // Each statement compares many open objects with all jobs. If necessary, PostgreSQL builds a hash table of the
  // jobs, once per statement.
  differences: (rows) => sql`
    -- every space: object ids are unique across all of them
    select object.space_id, object.environment, object.id, object.status
    from ${rows} object
    where ${isOpen} and object.id::text not in (
      select coalesce(job.payload ->> ${key}, '') from jobs job where job.job = ${job})`,
}))
