import type { Environment } from '../scope.ts'
import { bigints, booleans, byteas, ints, texts, times, uuids } from './arrays.ts'

/** The declaration of a column, with its type as PostgreSQL prints it. */
export type Declared = { type: string; isNullable: boolean }

/** A column, with the function that encodes many of its values as one array. */
export type Column<T> = Declared & {
  /** The array type that the parameter is cast to. */
  cast: string
  /** The cast that is appended to each value. Needed if the column's type differs from the array's element type. */
  restore: string
  encode(values: readonly (T | null)[]): Buffer
  /** Set for an encrypted column: what is authenticated together with a value, such as `payments.payer_account`. */
  place?: string
  /** Set for an encrypted column whose words can be searched. */
  isName?: true
  /** True for a parameter that contains the keyed hash of the value. */
  isHashed?: true
}

const column = <T>(type: string, encode: Column<T>['encode'], wire = type): Column<T> => ({
  type,
  isNullable: false,
  cast: `${wire}[]`,
  restore: type === wire ? '' : `::${type}`,
  encode,
})

/** Returns the nullable variant of a column. */
export const orNull = <T>(of: Column<T>): Column<T | null> => ({ ...of, isNullable: true })

export const uuid = column<string>('uuid', uuids)
export const text = column<string>('text', texts)
export const integer = column<number>('integer', ints)
export const bigint = column<bigint>('bigint', bigints)
export const boolean = column<boolean>('boolean', booleans)
export const bytea = column<Buffer>('bytea', byteas)
export const time = column<Date>('timestamp with time zone', times)

/**
 * A text column with personal data. If encryption is on, the column contains a keyed hash, by which rows are found.
 * `<column>_encrypted` contains the value, and `<column>_last` its last characters.
 *
 * @param place the table and the column, as in `payments.payer_account`; values cannot be decrypted in another place
 */
export const encrypted = (place: string): Column<string> => ({ ...text, place })

/** Like `encrypted`, for names. `<column>_words` contains the keyed hashes of their words, instead of `<column>_last`. */
export const encryptedName = (place: string): Column<string> => ({ ...encrypted(place), isName: true })

/** A parameter with the keyed hash of a value, by which rows with encrypted columns are found. */
export const hashed: Column<string> = { ...text, isHashed: true }

/**
 * The type of an `environment` column. The array of values is cast as a whole, so that each value can be
 * compared directly.
 */
export const environment: Column<Environment> = {
  ...column('environment', texts),
  cast: 'text[]::environment[]',
}

/** Returns a text column that is restricted to certain values. */
export const textOf = <T extends string>() => column<T>('text', texts)

/** A column that holds an array of texts. */
export const textArray = column<string[]>(
  'text[]',
  (values) => texts(values.map((value) => value && arrayLiteral(value))),
  'text',
)

const arrayLiteral = (values: readonly string[]) => `{${values.map(quoted).join(',')}}`
const quoted = (value: string) =>
  value.includes('"') || value.includes('\\') ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`

const asJson = (values: readonly unknown[]) =>
  texts(values.map((value) => (value === null ? null : JSON.stringify(value))))

export const json = <T>() => column<T>('json', asJson, 'text')
export const jsonb = <T>() => column<T>('jsonb', asJson, 'text')
