import { texts, times, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Environment } from '../platform/scope.ts'

/** Until when the prompts of a phone (E.164) are used up: of all Spaces (`spaceId` is `everySpace`), or of one. */
export type PhoneUse = { phoneNumber: string; spaceId: string; usedUntil: Date }

export const everySpace = '00000000-0000-0000-0000-000000000000'

export type PhoneKey = Pick<PhoneUse, 'phoneNumber' | 'spaceId'>

/** Inserts rows that are missing, and locks all, in order: prompts of one phone are judged one after the other. */
export const lockPhones = (tx: Tx, environment: Environment, asking: PhoneKey[]) =>
  tx.query<PhoneUse & { now: Date }>(sql`
    insert into asked_phones (environment, phone_number, space_id)
    select distinct ${environment}::environment, phone_number, space_id
    from unnest(${texts(asking.map(({ phoneNumber }) => phoneNumber))}::text[],
      ${uuids(asking.map(({ spaceId }) => spaceId))}::uuid[]) as asking (phone_number, space_id)
    order by phone_number, space_id
    on conflict (environment, phone_number, space_id) do update set phone_number = excluded.phone_number
    returning phone_number, space_id, used_until, clock_timestamp() as now`)

export type OpenPrompts = PhoneKey & { open: number }

/** Prompts that phones have open now, by Space; an attempt older than `sinceMs` rings no more. */
export const countOpen = (
  db: Reader,
  environment: Environment,
  phoneNumbers: string[],
  { sinceMs, atMost }: { sinceMs: number; atMost: number },
) =>
  // every space: a phone is one for all of them
  db.query<OpenPrompts>(sql`
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
export const updatePhones = (tx: Tx, environment: Environment, asked: PhoneUse[]) =>
  tx.run(sql`
    update asked_phones phone set used_until = changed.used_until
    from unnest(${texts(asked.map(({ phoneNumber }) => phoneNumber))}::text[],
      ${uuids(asked.map(({ spaceId }) => spaceId))}::uuid[],
      ${times(asked.map(({ usedUntil }) => usedUntil))}::timestamptz[]) changed (phone_number, space_id, used_until)
    where phone.environment = ${environment} and phone.phone_number = changed.phone_number
      and phone.space_id = changed.space_id`)

/** Of which no prompt counts any more. */
export const deleteUnused = (tx: Tx) => tx.run(sql`delete from asked_phones where used_until < now()`)
