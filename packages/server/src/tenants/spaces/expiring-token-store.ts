import type { HomeTx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import type { Token } from './store.ts'

const dayMs = durationMs('1d')

/** A token that will expire soon. */
export type ExpiringToken = Pick<Token, 'userId' | 'environment' | 'name' | 'spaceIds' | 'lastCharacters'> & {
  expiresAt: Date
}

/**
 * Marks and returns up to `limit` tokens whose users must be warned now. Users are warned `early` days and
 * again `late` days before a token expires. A warning is skipped if the token's whole lifetime is not longer
 * than that number of days, because its creator has just seen the expiry date.
 */
export function markWarned(
  tx: HomeTx,
  now: Date,
  { early, late }: { early: number; late: number },
  limit: number,
): Promise<ExpiringToken[]> {
  const [lateAt, earlyAt] = [late, early].map((days) => new Date(now.getTime() + days * dayMs))
  return tx.query<ExpiringToken>(sql`
    update tokens set warned_days = case when expires_at <= ${lateAt} then ${late}::smallint else ${early}::smallint end
    where id in (
      select id from tokens
      where revoked_at is null and replaced_by is null and warned_days is distinct from ${late}::smallint
        and expires_at > ${now} and expires_at <= ${earlyAt}
        and case when expires_at <= ${lateAt} then expires_at - created_at > ${late} * interval '1 day'
          else warned_days is null and expires_at - created_at > ${early} * interval '1 day' end
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    returning user_id, environment, name, space_ids::text[] as space_ids, last_characters, expires_at`)
}
