import type { Scope } from '../scope.ts'
import { texts } from './arrays.ts'
import type { Scoped } from './scoped.ts'
import { Sql, sql } from './sql.ts'

/**
 * Encrypts personal data in columns that the table descriptions declare as `encrypted`. The column itself then
 * contains a keyed hash of the value, by which rows are found and compared, and `<column>_encrypted` contains the
 * value. The keys of each Space are different.
 *
 * See docs/decisions/0259-encrypted-numbers.md.
 */
export type Encryption = {
  /** Returns whether new values are encrypted. */
  isOn(): boolean
  /** Returns the keyed hash of a value, which is the same in all columns of a Space and environment. */
  hash(scope: Scope, value: string): string
  /** Encrypts a value for a place, which is a table and a column. */
  encrypt(place: string, scope: Scope, value: string): Buffer
  /**
   * Decrypts a value with its place and scope, as selected by `selectEncrypted`. Throws an error if the value was
   * altered, or belongs to another place or scope.
   */
  decrypt(selected: Buffer): string
  /** Throws a `MissingKeysError` that lists all of these Spaces whose keys are not in memory. */
  require(spaceIds: Iterable<string>): void
  /**
   * Reads the keys of these Spaces, and creates those that do not exist. Within a transaction, the master key is not used,
   * because it may be in a KMS; if it is needed, a `MissingKeysError` is thrown, so that the transaction is repeated.
   */
  load(spaceIds: string[], options?: { isInTransaction?: boolean }): Promise<void>
}

/** Thrown if the keys of Spaces are not in memory. After they have been loaded, the same call succeeds. */
export class MissingKeysError extends Error {
  readonly spaceIds: string[]

  constructor(spaceIds: string[]) {
    super(`the keys of ${spaceIds.length} Spaces have not been loaded`)
    this.spaceIds = spaceIds
  }
}

const maxLoads = 20 // times that keys are loaded for one piece of work, each time those of at least one more Space

/** Runs `work`, and runs it again after loading the keys that it needs. */
export async function withKeys<T>(
  encryption: Encryption | undefined,
  work: () => T | Promise<T>,
  options?: { isInTransaction?: boolean },
): Promise<T> {
  for (let loads = 0; ; loads++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof MissingKeysError) || !encryption || loads === maxLoads) throw error
      await encryption.load(error.spaceIds, options)
    }
  }
}

/** A value of a statement that depends on the keys. It is computed when the statement is sent. */
export class KeyedValue {
  readonly compute: (encryption: Encryption) => Buffer | string | null

  constructor(compute: (encryption: Encryption) => Buffer | string | null) {
    this.compute = compute
  }
}

/** Computes the values of a statement that depend on the keys. */
export function withoutKeyedValues(values: unknown[], encryption: Encryption | undefined): unknown[] {
  if (!encryption) throw new Error('this database was opened without the keys of personal data')
  return values.map((value) => (value instanceof KeyedValue ? value.compute(encryption) : value))
}

/**
 * What an encrypted column contains for each value, as an array of texts: its keyed hash or, if encryption is off, the
 * value itself.
 */
export const storedTexts = (values: readonly Scoped<{ value: string }>[]): KeyedValue =>
  new KeyedValue((encryption) => {
    if (!encryption.isOn()) return texts(values.map(({ value }) => value))
    encryption.require(values.map(({ scope }) => scope.spaceId))
    return texts(values.map(({ scope, value }) => encryption.hash(scope, value)))
  })

/** The keyed hashes of values, as an array of texts. */
export const hashesOf = (values: readonly Scoped<{ value: string }>[]): KeyedValue =>
  new KeyedValue((encryption) => {
    if (encryption.isOn()) encryption.require(values.map(({ scope }) => scope.spaceId))
    return texts(values.map(({ scope, value }) => encryption.hash(scope, value)))
  })

/** Like `storedTexts`, for one value. */
export const storedText = (scope: Scope, value: string): KeyedValue =>
  new KeyedValue((encryption) => (encryption.isOn() ? encryption.hash(scope, value) : value))

/** The keyed hash of a value in an encrypted column, as a value of a statement. */
export const hashOf = (scope: Scope, value: string): KeyedValue =>
  new KeyedValue((encryption) => encryption.hash(scope, value))

/**
 * The condition that a column contains this value: as its keyed hash or, in rows that are not yet encrypted, as it is.
 * An index finds such rows, but not in the order of its other columns.
 */
export const isEither = (scope: Scope, value: string): Sql =>
  sql`any(array[${hashOf(scope, value)}, ${value}])`

/**
 * Returns the value of a column, so that it can be compared with another column. While the job that encrypts existing rows
 * is running, one of them may be encrypted and the other plain; then they cannot be compared, and the other one is returned.
 */
export const comparable = (column: Sql, other: Sql): Sql => {
  const isPlain = ({ text }: Sql) => new Sql(`(${text}_encrypted is null)`, [])
  return sql`
    case when ${isPlain(column)} <> ${isPlain(other)} and num_nulls(${column}, ${other}) = 0
      and exists (select from encryption where run_started_at is not null and run_finished_at is null)
    then ${other} else ${column} end`
}

/** What the three columns of an encrypted one contain for a value, for statements that are written by hand. */
export const storedColumns = (
  place: string,
  scope: Scope,
  value: string | null,
): { stored: unknown; encrypted: unknown; last: unknown } => {
  if (value === null) return { stored: null, encrypted: null, last: null }
  const whenOn = (convert: (encryption: Encryption) => Buffer | string) =>
    new KeyedValue((encryption) => (encryption.isOn() ? convert(encryption) : null))
  return {
    stored: storedText(scope, value),
    encrypted: whenOn((encryption) => encryption.encrypt(place, scope, value)),
    last: whenOn(() => lastOf(value)),
  }
}

const maxWords = 20 // words of a name that can be searched

/** Returns the words of a name without case and accents, and with the same apostrophes. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’‘ʼ]/g, "'")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)

/** Returns the keyed hashes of the words of a name, by which it can be searched. */
export const wordHashes = (encryption: Encryption, scope: Scope, name: string): string[] =>
  wordsOf(name).map((word) => encryption.hash(scope, `word ${word}`))

/** The condition that an encrypted name has all words of a text, in any order. `words` is the column with their hashes. */
export const hasWords = (scope: Scope, words: Sql, text: string): Sql => {
  const hashes = new KeyedValue(
    (encryption) =>
      `{${wordHashes(encryption, scope, text)
        .map((hash) => `"${hash}"`)
        .join()}}`,
  )
  return wordsOf(text).length === 0 ? sql`false` : sql`${words} @> ${hashes}::text[]`
}

/**
 * The last characters of a value, which are stored as plain text for masking: at most four, and none that would
 * leave fewer than four hidden.
 */
export const lastOf = (value: string): string =>
  value.slice(value.length - Math.max(0, Math.min(4, value.length - 4)))
