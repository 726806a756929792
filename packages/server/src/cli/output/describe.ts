import { decimalOf, type Fields, fieldsOf, hasFields } from '@pesewa/values'
import { painted, type Stream } from './colour.ts'
import { tableText, widthOf } from './table.ts'
import { fromNow } from './time-words.ts'

/** How to print a list: its columns in order, separated by spaces, and the message for an empty list. */
export type ListView = { columns: string; empty: string }

/** Formats a result as JSON. As in the API, amounts and whole numbers of any size are exact. */
export const toJson = (value: object): string =>
  JSON.stringify(value, (_key, entry) => (typeof entry === 'bigint' ? JSON.rawJSON(String(entry)) : entry))

/**
 * Formats a list as a table. Formats any other result as one line per field, followed by the lists that it
 * contains.
 */
export function describe(result: object, view: Partial<ListView>, stream: Stream, now: Date): string {
  const entries = Object.entries(result)
  const isShownAsTable = (value: unknown) =>
    isList(value) && (listEntries(value).length > 0 || entries.length === 1)
  const lists = entries.filter(([, value]) => isShownAsTable(value))
  const fields = entries.filter(([, value]) => !isShownAsTable(value))
  const listText = (value: unknown, own: Partial<ListView> = {}) =>
    listOf(listEntries(value), own, stream, now)
  if (fields.length === 0 && lists.length === 1) return listText(lists[0]?.[1], view)
  return [
    fieldsText(fields, now),
    ...lists.map(([name, value]) => `\n${headingOf(name)}\n${listText(value)}`),
  ].join('')
}

const listEntries = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

const isList = (value: unknown) => Array.isArray(value) && value.every(hasFields)

function listOf(rows: Fields[], view: Partial<ListView>, stream: Stream, now: Date): string {
  const { columns: names, empty = 'None.' } = view
  if (rows.length === 0) return `${empty}\n`
  const columns = names?.split(' ') ?? Object.keys(rows[0] ?? {})
  return tableText(
    columns.map((name) => ({
      heading: headingOf(name),
      cells: rows.map((row) => cellOf(row[name], now)),
      isRight: isOfNumbers(rows.map((row) => row[name])),
      ...(stateFields.includes(name) && { paint: (cell: string) => painted(cell, stream) }),
    })),
    stream,
  )
}

const isOfNumbers = (values: unknown[]) => {
  const there = values.filter((value) => value !== null && value !== undefined)
  return there.length > 0 && there.every((value) => isNumber(value) || isMoney(value))
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

const stateFields = ['status', 'outcome', 'result']

function fieldsText(fields: [string, unknown][], now: Date): string {
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name))) + 1
  return fields
    .map(([name, value]) => {
      const at = timeOf(value)
      const text = at ? `${at.toISOString()} (${fromNow(at, now)})` : cellOf(value, now)
      return `${`${name}:`.padEnd(width)} ${text}\n`
    })
    .join('')
}

/** Returns the heading of a column, such as SPACE for `spaceId` and CREATED for `createTime`. */
const headingOf = (name: string): string =>
  (shortHeadings[name] ?? name.replace(/(?<=.)(Id|Time)$/, ''))
    .replace(/[A-Z]/g, (letter) => ` ${letter}`)
    .toUpperCase()

const shortHeadings: Record<string, string> = {
  environment: 'env',
  createTime: 'created',
  expireTime: 'expires',
  lastUseTime: 'lastUsed',
  sentTime: 'sent',
  openTime: 'opened',
  closeTime: 'closed',
  payTime: 'paid',
  joinTime: 'joined',
}

function cellOf(value: unknown, now: Date): string {
  if (value === null || value === undefined || value === '') return '-'
  const at = timeOf(value)
  if (at) return fromNow(at, now)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.length === 0 ? '-' : value.map((each) => cellOf(each, now)).join(', ')
  if (isMoney(value)) return `${value.currency} ${decimalOf(value.value, value.currency)}`
  if (!hasFields(value)) return harmless(String(value))
  // A whole number that a double cannot represent is an object that contains its text.
  if ('rawJSON' in value) return String(value.rawJSON)
  return Object.entries(value)
    .map(([name, entry]) => `${name} ${cellOf(entry, now)}`)
    .join(', ')
}

const isMoney = (value: unknown): value is { currency: string; value: unknown } =>
  hasFields(value) && typeof value.currency === 'string' && 'value' in value && value.value !== null

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function timeOf(value: unknown): Date | undefined {
  if (value instanceof Date) return value
  return typeof value === 'string' && timeForm.test(value) ? new Date(value) : undefined
}

/**
 * In text that merchants or providers wrote, replaces control characters, including bidirectional ones, with
 * spaces.
 */
const harmless = (text: string) => text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
