import type { Reader } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { sql } from '../../platform/db/sql.ts'
import { ownerTypes } from './owner-types.ts'

const ages = { '10m': '10 minutes', '1h': '1 hour', '24h': '24 hours' }
const maxRead = 10_000 // oldest instructions of each type that are read for the metrics

type Counts = { type: string } & Record<keyof typeof ages, number>

/** Counts the live instructions whose outcome has been unknown for a while, by type and age. */
export async function readOutcomeAges(
  db: Reader,
): Promise<{ labels: { type: string; age: string }; value: number }[]> {
  // every space: the oldest submitted instructions without an outcome
  const counts = await db.query<Counts>(sql`
    -- every space: the oldest submitted instructions without an outcome
    select owners.type, count(*) filter (where submitted_at <= ${realNow} - ${ages['10m']}::interval)::int as "10m",
      count(*) filter (where submitted_at <= ${realNow} - ${ages['1h']}::interval)::int as "1h",
      count(*) filter (where submitted_at <= ${realNow} - ${ages['24h']}::interval)::int as "24h"
    from unnest(${[...ownerTypes]}::text[]) owners (type)
    left join lateral (
      select environment, submitted_at from instructions
      where owner_type = owners.type and state in ('submitting', 'submitted', 'unknown')
        and submitted_at <= (select ${realNow} - ${ages['10m']}::interval)
      order by submitted_at, id limit ${maxRead} offset 0
    ) instruction on environment = 'live'
    group by owners.type`)
  return counts.flatMap(({ type, ...byAge }) =>
    Object.entries(byAge).map(([age, value]) => ({ labels: { type, age }, value })),
  )
}
