import { must } from '@pesewa/values'
import { ints, times, uuids } from '../../platform/db/arrays.ts'
import { hashed, integer, text } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { storedTexts } from '../../platform/db/encryption.ts'
import { sql } from '../../platform/db/sql.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import { firstId } from '../../platform/ids.ts'
import type { Environment } from '../../platform/scope.ts'
import { installationScope } from '../../tenants/spaces/chained-changes.ts'

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
export async function lockPhones(
  tx: Tx,
  environment: Environment,
  asking: PromptedPhone[],
): Promise<(PhoneUse & { now: Date })[]> {
  const rows = await tx.query<{ place: number; usedUntil: Date; now: Date }>(sql`
    with requested as (
      select distinct on (phone_number, space_id) place, phone_number, space_id
      from ${phoneRows(environment, asking)}
      order by phone_number, space_id, place
    ), locked as (
      insert into asked_phones (environment, phone_number, space_id)
      select ${environment}::environment, phone_number, space_id from requested
      order by phone_number, space_id
      on conflict (environment, phone_number, space_id) do update set phone_number = excluded.phone_number
      returning phone_number, space_id, used_until, clock_timestamp() as now
    )
    select place, used_until, now from locked join requested using (phone_number, space_id)
    order by place`)
  return rows.map(({ place, ...use }) => ({ ...must(asking[place], 'prompted phone'), ...use }))
}

export type OpenPrompts = PromptedPhone & { open: number }

/** Returns the number of open prompts for each phone and Space. Attempts older than `sinceMs` no longer count. */
export async function countOpen(
  db: Reader,
  environment: Environment,
  asking: PromptedPhone[],
  limits: { sinceMs: number; atMost: number },
): Promise<OpenPrompts[]> {
  const { open, others } = await countOfSpaces(db, environment, asking, limits)
  // The hashes of other Spaces can be computed only now that these Spaces are known.
  return others.length === 0
    ? open
    : [...open, ...(await countOfSpaces(db, environment, others, limits)).open]
}

type Counted = { place: number; open: number | null; otherSpaceId: string | null }

/** Counts the open prompts of these Spaces, and returns the other Spaces that have asked these phones. */
async function countOfSpaces(
  db: Reader,
  environment: Environment,
  asking: PromptedPhone[],
  { sinceMs, atMost }: { sinceMs: number; atMost: number },
): Promise<{ open: OpenPrompts[]; others: PromptedPhone[] }> {
  const phones = asking.map(({ phoneNumber, spaceId }, place) => ({
    ...{ scope: { spaceId, environment }, place, phoneNumber, hash: phoneNumber },
  }))
  // every space: a phone's limit is shared by all of them
  const rows = await db.query<Counted>(sql`
    select place, (
      select count(*)::int from (
        select 1 from payments
        where space_id = requested.space_id and environment = requested.environment
          and payer_account = any(array[requested.hash, requested.phone_number]) and channel_type = 'momo'
          and status in ('pending', 'processing') and id >= ${firstId(new Date(Date.now() - sinceMs - clockToleranceMs))}
          and created_at > clock_timestamp() - ${sinceMs}::int * interval '1 millisecond'
        limit ${atMost}
      ) asking
    ) as open, null::uuid as other_space_id
    from ${hashedRows(phones)}
    union all
    select place, null, asked.space_id
    from ${phoneRows(environment, asking)} cross join lateral (
      select space_id from asked_phones
      where environment = ${environment} and phone_number = requested.phone_number
        and space_id not in (${everySpace}, requested.space_id)
      offset 0
    ) asked`)
  const nameOf = ({ phoneNumber, spaceId }: PromptedPhone) => `${phoneNumber} ${spaceId}`
  const counted = new Set(asking.map(nameOf))
  const others = new Map<string, PromptedPhone>()
  const open: OpenPrompts[] = []
  for (const { place, open: count, otherSpaceId } of rows) {
    const asked = must(asking[place], 'prompted phone')
    if (count !== null && count > 0) open.push({ ...asked, open: count })
    if (otherSpaceId === null) continue
    const other = { ...asked, spaceId: otherSpaceId }
    if (!counted.has(nameOf(other))) others.set(nameOf(other), other)
  }
  return { open, others: [...others.values()] }
}

const clockToleranceMs = 60_000 // difference between the clocks of a node and of the database

const hashedRows = unnestScoped({ place: integer, phoneNumber: text, hash: hashed })

/** Writes the budgets of locked phones. */
export const updatePhones = (tx: Tx, environment: Environment, asked: PhoneUse[]) =>
  tx.send(sql`
    update asked_phones phone set used_until = requested.used_until
    from unnest(${storedPhones(environment, asked)}::text[], ${uuids(asked.map(({ spaceId }) => spaceId))}::uuid[],
      ${times(asked.map(({ usedUntil }) => usedUntil))}::timestamptz[]) as requested (phone_number, space_id, used_until)
    where phone.environment = ${environment} and phone.phone_number = requested.phone_number
      and phone.space_id = requested.space_id`)

/** Passes phones to a statement, as they are stored in `asked_phones`, whose numbers are hashed alike for all Spaces. */
const phoneRows = (environment: Environment, asking: PromptedPhone[]) => sql`
  unnest(${ints(asking.map((_, place) => place))}::int[], ${storedPhones(environment, asking)}::text[],
    ${uuids(asking.map(({ spaceId }) => spaceId))}::uuid[]) as requested (place, phone_number, space_id)`

const storedPhones = (environment: Environment, phones: readonly { phoneNumber: string }[]) =>
  storedTexts(
    phones.map(({ phoneNumber }) => ({ scope: installationScope(environment), value: phoneNumber })),
  )

/**
 * Deletes phones whose prompt budget was fully replenished before the longest time for which a prompt stays open. Until
 * then, they tell which Spaces may have prompted a phone.
 */
export const deleteUnused = (tx: Tx, windowMs: number) =>
  tx.run(sql`delete from asked_phones where used_until < now() - ${windowMs}::int * interval '1 millisecond'`)
