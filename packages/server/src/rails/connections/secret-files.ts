import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeOf, type Fields, fieldsOf, hasFields } from '@pesewa/values'
import { CatalogueError } from './catalogue-error.ts'

/**
 * A text field whose value is stored in a file. For example, the connection contains `keyFile`, which is the
 * path of the file, instead of `key`.
 */
type FileField = {
  /** The property names on the path from the connection to the field. */
  steps: string[]
  file: string
}

/**
 * The connection with the first value of each file and, if any file contains a second value, the connection
 * with those second values.
 */
export type FilledIn = { first: Fields; second: Fields | undefined }

const suffix = 'File'
/**
 * A rail at a different URL does not know what was sent to the previous one, so the URL must not change
 * unnoticed.
 */
const neverInFiles = ['baseUrl']
const maxFileBytes = 32_768 // maximum size of a file that contains a connection's secrets

/**
 * Finds the fields of a connection whose values are stored in files. `properties` is the connection's schema
 * without those fields.
 */
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
 * Reads the files and puts their values into the connection. Each file contains one or two values: the first is
 * used for sending, and the second is also valid. A value is a single line or a PEM block.
 *
 * @throws CatalogueError whose message contains only the names of fields and files
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

/** Returns a string that changes whenever any of the files changes. */
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

/** Returns a copy of the fields in which the value from a file replaces the path of that file. */
function put(fields: Fields, [name = '', ...further]: string[], value: string): Fields {
  if (further.length > 0) return { ...fields, [name]: put(fieldsOf(fields[name]), further, value) }
  const { [`${name}${suffix}`]: _, ...others } = fields
  if (name in others) throw new CatalogueError(`${name} and ${name}${suffix} cannot both be set`)
  return { ...others, [name]: value }
}
