import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { codeOf, must } from '@pesewa/values'
import { CsvError, parse } from 'csv-parse'
import type { Direction } from '../../ledger/accounts/store.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Mapping } from './mapping.ts'
import { isName, readAmount, readName, readTime, shown } from './statement-text.ts'

/** A movement of money that the provider reports. Amounts are in minor units. */
export type StatementLine = {
  /** Line number in the file, counted from 1. */
  line: number
  id: string
  movedAt: Date
  direction: Direction
  amount: bigint
  currency: string
  reference: string | null
  railTransaction: string | null
}

/** The path of a file, or the text of a file. */
export type StatementContent = { file: string } | { text: string }

/** A line that cannot be read, with the reason. */
export type LineFault = { line: number; fault: string }

const maxLines = 5_000_000 // limit: lines in a statement
const maxRecordBytes = 64 * 1024 // limit: size of a line in a statement
const maxColumns = 200 // limit: columns in a statement

/**
 * Yields the lines of a CSV file that the mapping includes, in order. Reads them one at a time, so that a file
 * can have any length. If a line cannot be read, yields the reason instead.
 *
 * @throws Refusal if the file does not exist, its headings do not match the mapping, or part of it is not valid
 * CSV
 */
export async function* readStatement(
  content: StatementContent,
  mapping: Mapping,
): AsyncGenerator<StatementLine | LineFault> {
  let cellOf: ((record: string[], column: Column) => string) | undefined
  let lastLine = 0
  try {
    for await (const { record, info } of recordsOf(content, mapping)) {
      lastLine = info.lines
      if (lastLine > maxLines) throw fileRefusal(`has more than ${maxLines} lines`)
      if (!cellOf) cellOf = createCellReader(record, mapping)
      else {
        const cell = cellOf
        const read = lineOf(info.lines, (column) => cell(record, column), mapping)
        if (read) yield read
      }
    }
  } catch (error) {
    throw asRefusal(error, lastLine)
  }
  if (!cellOf) throw fileRefusal('has no headings')
}

type CsvRecord = { record: string[]; info: { lines: number } }

function recordsOf(
  content: StatementContent,
  { delimiter = ',', headingsLine = 1 }: Mapping,
): AsyncIterable<CsvRecord> {
  const parser = parse({
    bom: true,
    delimiter,
    from_line: headingsLine,
    info: true,
    max_record_size: maxRecordBytes,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  // Errors in reading the file are thrown where the records are read.
  pipeline(
    'file' in content ? createReadStream(content.file) : Readable.from([content.text]),
    parser,
    () => {},
  )
  return parser
}

type Column = keyof Mapping['columns'] | { heading: string }

/** Returns a function that finds the cells of a line by heading. Each heading must occur exactly once. */
function createCellReader(headings: string[], { columns, only = {} }: Mapping) {
  if (headings.length > maxColumns) throw fileRefusal(`has more than ${maxColumns} columns`)
  const places = new Map<string, number>()
  for (const heading of [...Object.values(columns), ...Object.keys(only)]) {
    const place = headings.indexOf(heading)
    if (place < 0) throw fileRefusal(`has no column ${shown(heading)}`)
    if (headings.lastIndexOf(heading) !== place) throw fileRefusal(`has the column ${shown(heading)} twice`)
    places.set(heading, place)
  }
  return (record: string[], column: Column): string => {
    if (record.length !== headings.length)
      throw new RangeError(`has ${record.length} cells but ${headings.length} headings`)
    const heading = typeof column === 'string' ? columns[column] : column.heading
    return heading === undefined ? '' : must(record[places.get(heading) ?? -1], 'cell of a column')
  }
}

/** Returns the values of a line, or `undefined` if the mapping excludes the line. */
function lineOf(
  line: number,
  cell: (column: Column) => string,
  mapping: Mapping,
): StatementLine | LineFault | undefined {
  try {
    const isMeant = Object.entries(mapping.only ?? {}).every(([heading, words]) =>
      words.includes(cell({ heading })),
    )
    return isMeant ? { line, ...valuesOf(cell, mapping) } : undefined
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { line, fault: error.message }
  }
}

function valuesOf(cell: (column: Column) => string, mapping: Mapping): Omit<StatementLine, 'line'> {
  const id = readName(cell('id'))
  const currency = mapping.currency ?? readName(cell('currency'))
  const { isNegative, amount } = readAmount(cell('amount'), currency, mapping.amounts)
  const direction = directionOf(cell('direction'), isNegative, mapping)
  if (isNegative && direction === 'collection')
    throw new RangeError(`${shown(cell('amount'))} is negative; a collection must be positive`)
  const transaction = cell('transaction')
  return {
    id,
    movedAt: readTime(cell('time'), mapping.times),
    direction,
    amount,
    currency,
    reference: asReference(cell('reference')),
    railTransaction: transaction ? readName(transaction) : mapping.columns.transaction ? null : id,
  }
}

function directionOf(word: string, isNegative: boolean, { directions }: Mapping): Direction {
  if (directions === 'sign') return isNegative ? 'disbursement' : 'collection'
  if (directions?.collection?.includes(word)) return 'collection'
  if (directions?.disbursement?.includes(word)) return 'disbursement'
  throw new RangeError(`${shown(word)} is not a known direction`)
}

/**
 * Returns our reference for a line, or `null` if the text cannot be a reference (for example, if it is a
 * payer's note). Some providers write our UUIDs in capitals or without hyphens.
 */
function asReference(text: string): string | null {
  const uuid = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i.exec(text)
  if (uuid) return uuid.slice(1).join('-').toLowerCase()
  return isName(text) ? text : null
}

function asRefusal(error: unknown, lastLine: number): unknown {
  if (error instanceof CsvError)
    return fileRefusal(`is not valid CSV after line ${lastLine}: ${csvFault(error)}`)
  const words = {
    ENOENT: 'does not exist',
    EISDIR: 'is a directory',
    EACCES: 'cannot be read: permission denied',
  }[codeOf(error)]
  return words ? fileRefusal(words) : error
}

// Describes an error by its code, because the library's message would quote the file.
const csvFault = ({ code }: CsvError) => (code ?? '').replace('CSV_', '').replaceAll('_', ' ').toLowerCase()

export const fileRefusal = (error: string) => argumentRefusal('file', error)
