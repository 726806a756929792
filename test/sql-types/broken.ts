import type { Reader } from '../../packages/server/src/platform/db/database.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'

/** Wrong declarations of several kinds, and a correct one at the end. Never executed. */
export const broken = (db: Reader) => [
  db.query<{ nmae: string }>(sql`select name from spaces`),
  db.query<{ createdAt: string }>(sql`select created_at from spaces`),
  db.query<{ suspendedAt: Date }>(sql`select suspended_at from spaces`),
  db.query<{ name: string }>(sql`select name from users left join spaces on spaces.id = users.id`),
  db.only<{ total: bigint }>(sql`select sum(amount)::bigint as total from ledger_lines`),
  db.query<{ spaceIds: number[] | null }>(sql`select space_ids from tokens`),
  db.query<{ id: string; suspendedAt: Date | null }>(sql`select id, suspended_at from spaces`),
]
