import { text, time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { unnest } from '../../platform/db/unnest.ts'
import type { Environment } from '../../platform/scope.ts'

/**
 * Time until which a phone's prompt budget is used up, either across all Spaces (`spaceId` is `everySpace`) or
 * in one Space. The phone number is in E.164 format.
 */
export type PhoneUse = { phoneNumber: string; spaceId: string; usedUntil: Date }

export const everySpace = '00000000-0000-0000-0000-000000000000'

export type PromptedPhone = Pick<PhoneUse, 'phoneNumber' | 'spaceId'>

/**
 * Inserts missing rows and locks all rows in a fixed order, so that prompts to one phone are checked one at a
 * time.
 */
export const lockPhones = (tx: Tx, environment: Environment, asking: PromptedPhone[]) =>
  tx.query<PhoneUse & { now: Date }>(sql`
    insert into asked_phones (environment, phone_number, space_id)
    select distinct ${environment}::environment, phone_number, space_id
    from ${phoneRows(asking)}
    order by phone_number, space_id
    on conflict (environment, phone_number, space_id) do update set phone_number = excluded.phone_number
    returning phone_number, space_id, used_until, clock_timestamp() as now`)

export type OpenPrompts = PromptedPhone & { open: number }

/** Returns the number of open prompts for each phone and Space. Attempts older than `sinceMs` no longer count. */
export const countOpen = (
  db: Reader,
  environment: Environment,
  phoneNumbers: string[],
  { sinceMs, atMost }: { sinceMs: number; atMost: number },
) =>
  // every space: a phone's limit is shared by all of them
  db.query<OpenPrompts>(sql`
    select requested.phone_number, asking.space_id, count(*)::int as open
    from unnest(${phoneNumbers}::text[]) requested (phone_number) cross join lateral (
      select space_id from payments
      where environment = ${environment} and payer_account = requested.phone_number and channel_type = 'momo'
        and status in ('pending', 'processing')
        and created_at > clock_timestamp() - ${sinceMs}::int * interval '1 millisecond'
      limit ${atMost}
    ) asking
    group by requested.phone_number, asking.space_id`)

/** Writes the budgets of locked phones. */
export const updatePhones = (tx: Tx, environment: Environment, asked: PhoneUse[]) =>
  tx.send(sql`
    update asked_phones phone set used_until = requested.used_until
    from ${askedRows(asked)}
    where phone.environment = ${environment} and phone.phone_number = requested.phone_number
      and phone.space_id = requested.space_id`)

const phone = { phoneNumber: text, spaceId: uuid }
const phoneRows = unnest<PromptedPhone>(phone)
const askedRows = unnest<PhoneUse>({ ...phone, usedUntil: time })

/** Deletes phones whose prompt budget has been fully replenished. */
export const deleteUnused = (tx: Tx) => tx.run(sql`delete from asked_phones where used_until < now()`)
