import { lineAt, type Source } from './sources.ts'

/**
 * Tables whose rows belong to no Space, or to a Space in both environments, as its members do. The simulator's
 * tables play the outside world, and one sequencer serves all Spaces. A phone that dials or receives a prompt
 * belongs to no Space; a directory of numbers or addresses leads to its Space. A statement is of the operator's account with
 * a provider, which all Spaces share, like the connections to providers and the nodes. The keys of a Space are used in both
 * environments.
 */
const tablesWithoutSpace =
  /^(?:schema_migrations|nodes|rate_limits|spaces|users|members|invitations|tokens|sessions|sign_in_\w+|passkeys|totp_\w+|recovery_codes|mailed_codes|oidc_\w+|roles_by_group|proofs|backups|event_sequencer|event_partitions|fact_kinds|payment_code_numbers|payment_link_addresses|simulator_\w+|asked_phones|ussd_phones|ussd_sessions|ussd_otp_numbers|statements|statement_lines|item_closings|closed_days|connection_pauses|open_breakers|connection_stats|connection_floats|bill_payments|bill_pulls|encryption|wrapping_keys|data_keys)$/

export const isOfSpaces = (table: string) => !tablesWithoutSpace.test(table)

/** The columns of a table's primary key, in order. */
export type PrimaryKey = { name: string; columns: string[] }

/** As returned by `pg_get_constraintdef`. */
export type ForeignKey = { name: string; definition: string }

export const keysWithoutScope = (keys: PrimaryKey[], migrations: Source[]): string[] =>
  keys
    .filter(({ name }) => isOfSpaces(name))
    .filter(({ columns }) => columns[0] !== 'space_id' || columns[1] !== 'environment')
    .map(
      ({ name, columns }) => `${migrationOf(name, migrations)} ${name} has the key (${columns.join(', ')})`,
    )

export const foreignKeysAcrossSpaces = (keys: ForeignKey[], migrations: Source[]): string[] =>
  keys
    .filter(({ name }) => isOfSpaces(name))
    .filter(({ definition }) => !/^FOREIGN KEY \(space_id, environment,/.test(definition))
    .map(({ name, definition }) => `${migrationOf(name, migrations)} ${name}: ${definition}`)

function migrationOf(table: string, migrations: Source[]): string {
  for (const { path, text } of migrations) {
    const index = text.search(new RegExp(`create table ${table}\\b`))
    if (index >= 0) return `${path}:${lineAt(text, index)}`
  }
  return 'migrations:1'
}
