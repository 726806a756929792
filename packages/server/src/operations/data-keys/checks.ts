import type { Check, Subject } from '../../platform/db/check.ts'
import { type Encryption, lastOf, wordHashes } from '../../platform/db/encryption.ts'
import { nothing, Sql, sql } from '../../platform/db/sql.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import { alongIndex } from '../../platform/db/walk.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { erased } from '../../tenants/retention/person.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'
import { type EncryptedColumn, type EncryptedTable, encryptedTables } from './encrypted-tables.ts'

type Examined = {
  key: string[]
  spaceId: string
  environment: Environment
  /** The column itself: a hash or, if nothing is encrypted, the value. */
  hash: string | null
  value: Buffer | null
  more: string | string[] | null
  mayBePlain: boolean
  /** The account of an instruction's payment, payout or refund, while some rows are encrypted and others are not. */
  owners?: string | null
}

/** Returns a check for each encrypted column. */
export const encryptedChecks = (): Check[] =>
  encryptedTables.flatMap((table) => table.columns.map((column) => checkOf(table, column)))

/**
 * The hash of a number takes part in seals and comparisons, the encrypted value does not. This check finds an encrypted
 * value that was replaced, even with that of another row.
 */
const checkOf = (table: EncryptedTable, column: EncryptedColumn): Check => ({
  name: `every ${column.name.replaceAll('_', ' ')} in ${table.name} can be decrypted and has its hash`,
  about: subjectOf(table),
  needsKeys: true,
  differences: (rows) => sql`
    select array[${text(table.key.map((each) => `own.${each}::text`).join(', '))}] as key,
      ${text(table.spaceId ? `'${table.spaceId}'::uuid` : 'own.space_id')} as space_id, own.environment,
      ${encryptedColumn(`${table.name}.${column.name}`, { of: 'own', as: 'hash', valueAs: 'value', spaceId: table.spaceId })},
      own.${text(column.name + (column.isName ? '_words' : '_last'))} as more, may_be_plain
      ${table.name === 'instructions' ? sql`, case when may_be_plain then ${ownersAccount} end as owners` : nothing}
    from ${rows} own
    cross join (
      select not is_on or (run_started_at is not null and run_finished_at is null) as may_be_plain from encryption
    ) encryption`,
  describeViolation(row: Examined, encryption) {
    return encryption && isSound(row, column, encryption)
      ? undefined
      : { table: table.name, column: column.name, key: row.key.join(' ') }
  },
})

const ownersAccount = sql`coalesce(
  (select payer_account from payments p
    where p.space_id = own.space_id and p.environment = own.environment and p.id = own.id),
  (select payee_account from payouts p
    where p.space_id = own.space_id and p.environment = own.environment and p.id = own.id),
  (select payer_account from refunds r
    where r.space_id = own.space_id and r.environment = own.environment and r.id = own.id))`

const text = (sqlText: string) => new Sql(sqlText, [])

function isSound(row: Examined, { isName }: EncryptedColumn, encryption: Encryption): boolean {
  const { spaceId, environment, hash, value, more, mayBePlain, owners } = row
  const scope = { spaceId, environment }
  if (hash === null || hash === erased) return value === null && more === null
  // While the job is running, one of two rows may be plain, and SQL cannot compare them.
  if (owners && owners.startsWith('#') !== hash.startsWith('#'))
    if (hashOf(encryption, scope, owners) !== hashOf(encryption, scope, hash)) return false
  if (value === null) return mayBePlain && more === null
  const plain = decrypted(encryption, value)
  if (plain === undefined || encryption.hash(scope, plain) !== hash) return false
  return isName ? `${more}` === `${wordHashes(encryption, scope, plain)}` : more === lastOf(plain)
}

const hashOf = (encryption: Encryption, scope: Scope, stored: string) =>
  stored.startsWith('#') ? stored : encryption.hash(scope, stored)

/** Returns the value, or `undefined` if no key decrypts it. */
function decrypted(encryption: Encryption, value: Buffer): string | undefined {
  try {
    return encryption.decrypt(value)
  } catch {
    return undefined
  }
}

function subjectOf({ name, key }: EncryptedTable): Subject {
  if (key.at(-1) === 'id') return tableSubject(text(name))
  const all = alongIndex(text(name), text(key.join(', ')))
  return { all: [all], since: () => [all] }
}
