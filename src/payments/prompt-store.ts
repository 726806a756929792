import { texts, times, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Environment } from '../platform/scope.ts'

/** Until when what may be asked of a phone is used up: over all Spaces (`spaceId` is `everySpace`), or by one. */
export type Asked = { phoneNumber: string; spaceId: string; usedUntil: Date }

export const everySpace = '00000000-0000-0000-0000-000000000000'

/** A phone (E.164), and who asks it: a Space, or `everySpace`. */
export type Asking = Pick<Asked, 'phoneNumber' | 'spaceId'>

/** Makes phones known that are not, and locks them, in order: what is judged of a phone is judged one by one. */
export const lockAsked = (tx: Tx, environment: Environment, asking: Asking[]) =>
  tx.query<Asked & { now: Date }>(sql`
    insert into asked_phones (environment, phone_number, space_id)
    select distinct ${environment}::environment, phone_number, space_id
    from unnest(${texts(asking.map(({ phoneNumber }) => phoneNumber))}::text[],
      ${uuids(asking.map(({ spaceId }) => spaceId))}::uuid[]) as asking (phone_number, space_id)
    order by phone_number, space_id
    on conflict (environment, phone_number, space_id) do update set phone_number = excluded.phone_number
    returning phone_number, space_id, used_until, clock_timestamp() as now`)

export type Open = Asking & { open: number }

/** What phones are asked for now, by each Space; an attempt older than `sinceMs` rings no more. */
export const countOpen = (
  db: Reader,
  environment: Environment,
  phoneNumbers: string[],
  { sinceMs, atMost }: { sinceMs: number; atMost: number },
) =>
  // every space: a phone is one, whoever asks it
  db.query<Open>(sql`
    select wanted.phone_number, asking.space_id, count(*)::int as open
    from unnest(${phoneNumbers}::text[]) wanted (phone_number) cross join lateral (
      select space_id from payments
      where environment = ${environment} and payer_account = wanted.phone_number and channel_type = 'momo'
        and status in ('pending', 'processing')
        and created_at > clock_timestamp() - ${sinceMs}::int * interval '1 millisecond'
      limit ${atMost}
    ) asking
    group by wanted.phone_number, asking.space_id`)

/** Of locked phones. */
export const updateAsked = (tx: Tx, environment: Environment, asked: Asked[]) =>
  tx.run(sql`
    update asked_phones phone set used_until = changed.used_until
    from unnest(${texts(asked.map(({ phoneNumber }) => phoneNumber))}::text[],
      ${uuids(asked.map(({ spaceId }) => spaceId))}::uuid[],
      ${times(asked.map(({ usedUntil }) => usedUntil))}::timestamptz[]) changed (phone_number, space_id, used_until)
    where phone.environment = ${environment} and phone.phone_number = changed.phone_number
      and phone.space_id = changed.space_id`)

/** Of which nothing counts any more. */
export const deleteRested = (tx: Tx) => tx.run(sql`delete from asked_phones where used_until < now()`)
