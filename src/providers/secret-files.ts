import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../platform/errors.ts'
import { type Fields, fieldsOf, hasFields } from '../platform/fields.ts'
import { CatalogueError } from './catalogue-error.ts'

/** A text field whose value is stored in a file: `keyFile` instead of `key`. */
type FileField = {
  /** Path of the field within the connection. */
  steps: string[]
  file: string
}

/** A connection with the first values of its files and, if any file has two, with the second values. */
export type FilledIn = { first: Fields; second: Fields | undefined }

const suffix = 'File'
/**
 * A new address is a new rail that does not know what was sent before, so the address must not change
 * unnoticed.
 */
const neverInFiles = ['baseUrl']
const maxFileBytes = 32_768 // size of a file with a connection's secrets

/** Finds the fields of a connection that are stored in files, given the schema without them. */
export function fileFieldsOf(folder: string, written: Fields, properties: Fields): FileField[] {
  return Object.entries(written).flatMap(([name, value]) => {
    const own = fieldsOf(properties[name])
    if (hasFields(value) && hasFields(own.properties))
      return fileFieldsOf(folder, value, own.properties).map(({ steps, file }) => ({
        steps: [name, ...steps],
        file,
      }))
    const base = name.slice(0, -suffix.length)
    const mayBeFile = fieldsOf(properties[base]).type === 'string' && !neverInFiles.includes(base)
    const isFile = name.endsWith(suffix) && !(name in properties) && mayBeFile
    return isFile && typeof value === 'string' ? [{ steps: [base], file: path.resolve(folder, value) }] : []
  })
}

/**
 * Reads the files. Each contains one or two values: first the one to send with, then another that is also
 * valid. A value is a line or a PEM block.
 *
 * @throws CatalogueError with only the names of fields and files
 */
export function fillIn(written: Fields, files: FileField[]): FilledIn {
  const read = files.map(({ steps, file }) => ({ steps, values: valuesOf(steps, file) }))
  const filled = (place: 0 | 1) =>
    read.reduce<Fields>(
      (fields, { steps, values }) => put(fields, steps, values[place] ?? values[0]),
      written,
    )
  return { first: filled(0), second: read.some(({ values }) => values[1]) ? filled(1) : undefined }
}

/** Changes when any of the files changes. */
export const versionOf = (files: FileField[]): string =>
  files
    .map(({ file }) => {
      const { mtimeMs, size, ino } = statSync(file)
      return [mtimeMs, size, ino].join(' ')
    })
    .join()

function valuesOf(steps: string[], file: string): [string, string | undefined] {
  const name = `${steps.join('.')}${suffix}`
  const text = textOf(name, file)
  const isPem = text.includes('-----BEGIN')
  const [first, second, ...more] = text
    .split(isPem ? /(?=-----BEGIN)/ : /\r?\n/)
    .map((value) => value.trim())
    .filter(Boolean)
  if (first === undefined || more.length > 0)
    throw new CatalogueError(`${name}: ${file} must contain one or two values`)
  return [first, second]
}

function textOf(name: string, file: string): string {
  try {
    if (statSync(file).size > maxFileBytes) throw new CatalogueError(`${name}: ${file} is too large`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    throw new CatalogueError(`${name}: ${file} cannot be read (${codeOf(error)})`)
  }
}

/** Replaces a file field with the file's value. */
function put(fields: Fields, [name = '', ...further]: string[], value: string): Fields {
  if (further.length > 0) return { ...fields, [name]: put(fieldsOf(fields[name]), further, value) }
  const { [`${name}${suffix}`]: _, ...others } = fields
  if (name in others) throw new CatalogueError(`${name} and ${name}${suffix} cannot both be set`)
  return { ...others, [name]: value }
}
