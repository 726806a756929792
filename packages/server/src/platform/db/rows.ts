import pg from 'pg'
import type { Encryption } from './encryption.ts'

export type Row = Record<string, unknown>

// PostgreSQL's bigint is read as a BigInt, so that amounts of money never become floating-point numbers.
export const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)
const parseTime: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) =>
  // A fast path for the usual format, because each row has several timestamps and the driver's general parser
  // takes twice as long.
  text.startsWith('2') && text.charCodeAt(4) === hyphen && text.endsWith('+00')
    ? timeOf(text)
    : parseTime(text),
)

const hyphen = 45

/** Parses timestamps such as `2026-11-22 06:28:01.123456+00`. The fraction may be shorter or missing. */
function timeOf(text: string): Date {
  const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528
  const fraction = text.slice(20, Math.min(23, text.length - 3))
  return new Date(
    Date.UTC(
      two(0) * 100 + two(2),
      two(5) - 1,
      two(8),
      two(11),
      two(14),
      two(17),
      fraction === '' ? 0 : Number(fraction.padEnd(3, '0')),
    ),
  )
}

/**
 * Converts rows to objects, and their column names from snake_case to camelCase, and decrypts encrypted columns. This
 * is the only place that converts names.
 *
 * @throws MissingKeysError
 */
export function objectsOf<R>(result: pg.QueryArrayResult, encryption?: Encryption): R[] {
  const names = result.fields.map((field) => field.name)
  const key = names.join()
  let toObject = converters.get(key)
  if (!toObject) {
    toObject = compileConverter(names)
    if (converters.size < maxConverters) converters.set(key, toObject)
  }
  // The type of the rows is declared by the caller, or follows from the table columns in the statement.
  return result.rows.map((values) => toObject(values, encryption)) as R[]
}

type ToObject = (values: unknown[], encryption: Encryption | undefined) => Row

/** Functions that convert rows, by the names of their columns. */
const converters = new Map<string, ToObject>()
const maxConverters = 2000 // sets of columns whose rows are converted by compiled functions

/**
 * Compiles a function that creates an object literal, which takes a tenth of the time of adding the fields to an
 * object one by one. A name that ends with a dot begins a nested object that contains all fields up to the next
 * such name. Its value says whether the nested object exists.
 */
function compileConverter(names: string[]): ToObject {
  let [text, end] = ['', '']
  names.forEach((name, i) => {
    if (name.endsWith('.')) {
      text += `${end}${JSON.stringify(camelCase(name.slice(0, -1)))}: values[${i}] ? { `
      end = '} : undefined, '
    } else if (!name.endsWith(encryptedSuffix))
      text += `${JSON.stringify(camelCase(name))}: ${valueAt(names, i)}, `
  })
  // The compiler does not know what the text does.
  return new Function('decrypt', `return (values, encryption) => ({ ${text}${end}})`)(decrypt) as ToObject
}

const encryptedSuffix = '_encrypted'

/** Returns the expression for a column. If the encrypted value follows it, that is decrypted, unless it is null. */
const valueAt = (names: string[], i: number) =>
  names[i + 1] === `${names[i]}${encryptedSuffix}`
    ? `values[${i + 1}] === null ? values[${i}] : decrypt(values[${i + 1}], encryption)`
    : `values[${i}]`

function decrypt(selected: Buffer, encryption: Encryption | undefined): string {
  if (!encryption) throw new Error('this database was opened without the keys of personal data')
  return encryption.decrypt(selected)
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
