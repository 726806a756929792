import type { Check, Subject } from '../../platform/db/check.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { alongIndex } from '../../platform/db/walk.ts'
import { responseSeal, secretOf } from '../../platform/http/commands/idempotency.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'

/** Stored responses to idempotent requests. They are at most a few days old, so all of them count as new. */
const walks = [alongIndex(sql`idempotency_keys`, sql`space_id, environment, key`)]
const responses: Subject = { all: walks, since: () => walks }

type Kept = {
  spaceId: string
  environment: Environment
  key: string
  fingerprint: Buffer
  text: string
  seal: string
}

/**
 * Returns the checks of stored responses. Without the program's secret, returns only the checks that do not
 * need it.
 */
export const responseChecks = (seals: Seals | undefined): Check[] => [
  {
    name: 'every event that a stored response refers to exists',
    about: responses,
    differences: (rows) => sql`
      select kept.space_id, kept.environment, kept.key
      from ${rows} kept
      where (kept.event_id is not null and kept.created_at > coalesce(
          (select min(coalesce(began_at, '-infinity')) from event_partitions), '-infinity')
        and not exists (
          select 1 from event_facts fact
          where fact.space_id = kept.space_id and fact.environment = kept.environment and fact.id = kept.event_id
            and fact.data is not null))
        or (kept.event_id is null and (kept.answer is null or kept.seal is null))`,
  },
  ...(seals ? [unaltered(seals)] : []),
]

const unaltered = (seals: Seals): Check => ({
  name: 'every stored response that refers to no event is unaltered',
  about: responses,
  // Only the program can check this, because someone who can only read the database does not have the program's
  // secret.
  differences: (rows) => sql`
    select kept.space_id, kept.environment, kept.key, kept.fingerprint, kept.answer as text, kept.seal
    from ${rows} kept where kept.answer is not null and kept.seal is not null`,
  describeViolation: (row: Kept) =>
    row.seal === responseSeal(seals, row, row)
      ? undefined
      : { spaceId: row.spaceId, environment: row.environment, key: row.key },
})

/**
 * Returns whether the seals of stored responses were made with this secret. If the books are copied and proved
 * elsewhere, the secret can be a different one.
 */
export async function hasOurSeals(db: Reader, seals: Seals): Promise<boolean> {
  // every space: all Spaces share one secret
  const { isForeign } = await db.only<{ isForeign: boolean }>(sql`
    select exists (select 1 from idempotency_keys where seal is not null)
      and not exists (select 1 from idempotency_keys where left(seal, 8) = ${secretOf(seals)}) as is_foreign`)
  return !isForeign
}
