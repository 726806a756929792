import type { Check, Subject } from '../../platform/db/check.ts'
import type { Encryption } from '../../platform/db/encryption.ts'
import { Sql, sql } from '../../platform/db/sql.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import { alongIndex } from '../../platform/db/walk.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'
import { type EncryptedTable, encryptedTables } from './encrypted-tables.ts'

type Examined = {
  key: string[]
  spaceId: string
  environment: Environment
  hash: string
  value: Buffer | null
  mayBePlain: boolean
}

/** Returns a check for each encrypted column. */
export const encryptedChecks = (): Check[] =>
  encryptedTables.flatMap((table) => table.columns.map(({ name }) => checkOf(table, name)))

/**
 * The hash of a number takes part in seals and comparisons, the encrypted value does not. This check finds an encrypted
 * value that was replaced, even with that of another row.
 */
const checkOf = (table: EncryptedTable, column: string): Check => ({
  name: `every ${column.replaceAll('_', ' ')} in ${table.name} can be decrypted and has its hash`,
  about: subjectOf(table),
  needsKeys: true,
  differences: (rows) => sql`
    select array[${text(table.key.map((each) => `own.${each}::text`).join(', '))}] as key,
      ${text(table.spaceId ? `'${table.spaceId}'::uuid` : 'own.space_id')} as space_id, own.environment,
      ${encryptedColumn(`${table.name}.${column}`, { of: 'own', as: 'hash', valueAs: 'value', spaceId: table.spaceId })},
      not is_on or (run_started_at is not null and run_finished_at is null) as may_be_plain
    from ${rows} own cross join encryption
    where own.${text(column)} is not null`,
  describeViolation({ key, spaceId, environment, hash, value, mayBePlain }: Examined, encryption) {
    const isSound =
      value === null
        ? mayBePlain
        : encryption && hashOfValue(encryption, { spaceId, environment }, value) === hash
    return isSound ? undefined : { table: table.name, column, key: key.join(' ') }
  },
})

const text = (sqlText: string) => new Sql(sqlText, [])

/** Returns the hash of an encrypted value, or `undefined` if it cannot be decrypted: with any key, or with none. */
function hashOfValue(encryption: Encryption, scope: Scope, value: Buffer): string | undefined {
  try {
    return encryption.hash(scope, encryption.decrypt(value))
  } catch {
    return undefined
  }
}

function subjectOf({ name, key }: EncryptedTable): Subject {
  if (key.at(-1) === 'id') return tableSubject(text(name))
  const all = alongIndex(text(name), text(key.join(', ')))
  return { all: [all], since: () => [all] }
}
