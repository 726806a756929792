import type { ExportColumn } from './columns.ts'
import { plainText } from './csv.ts'
import { styles } from './workbook.ts'

/** A cell of a sheet. `content` is XML; `width` is the number of characters that it shows. */
export type SheetCell = { style: number; type: 'n' | 'b' | 'inlineStr'; content: string; width: number }

/** Converts a time to the wall-clock time of the reader. Both are in milliseconds; the result reads like UTC. */
export type LocalTime = (ms: number) => number

/**
 * Returns the cell for the value of a column, or `undefined` if it is empty. Text is always typed as text, so no
 * spreadsheet evaluates it. Numbers and times that a spreadsheet could not hold exactly are text, too.
 */
export function cellOf(
  { read, format }: ExportColumn,
  entry: unknown,
  localTime: LocalTime,
): SheetCell | undefined {
  const value = read(entry)
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'boolean') return { style: 0, type: 'b', content: `<v>${Number(value)}</v>`, width: 5 }
  const text = plainText(value)
  if (format === 'decimal' || isNumber(value)) return numberCell(text, format) ?? textCell(text)
  if (format !== undefined) return timeCell(text, format, localTime) ?? textCell(text)
  return textCell(text)
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

const exactDigits = 15 // digits of a number that spreadsheets keep
const styleOf = {
  decimal: (text: string) => styles.decimals[text.split('.')[1]?.length ?? 0],
  whole: (text: string) => (text.includes('.') ? styles.general : styles.whole),
}

function numberCell(text: string, format: ExportColumn['format']): SheetCell | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text) || text.replace(/\D/g, '').length > exactDigits) return undefined
  const style = format === 'decimal' ? styleOf.decimal(text) : styleOf.whole(text)
  // Thousands separators add about a third to the width.
  return style === undefined
    ? undefined
    : { style, type: 'n', content: `<v>${text}</v>`, width: Math.ceil((text.length * 4) / 3) }
}

const dayMs = 86_400_000
const firstDayMs = Date.UTC(1899, 11, 30) // day 0 of spreadsheets
const firstSerial = 61 // spreadsheets disagree about dates before March 1900
const afterLastSerial = (Date.UTC(10_000, 0, 1) - firstDayMs) / dayMs

function timeCell(text: string, format: 'date-time' | 'date', localTime: LocalTime): SheetCell | undefined {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  const serial = ((format === 'date' ? at : localTime(at)) - firstDayMs) / dayMs
  const shown = format === 'date' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss'
  if (serial <= firstSerial || serial >= afterLastSerial) return undefined
  return { style: styles[format], type: 'n', content: `<v>${serial}</v>`, width: shown.length }
}

const maxCellLength = 32_767 // limit: length of a text in an XLSX file; longer text is cut

export function textCell(text: string, style: number = styles.text): SheetCell {
  const shown =
    text.length > maxCellLength
      ? `${text.slice(0, maxCellLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
      : text
  return {
    style,
    type: 'inlineStr',
    content: `<is><t xml:space="preserve">${xmlText(shown)}</t></is>`,
    width: shown.length,
  }
}

/**
 * Escapes text for XML. A control character is written as `_x` and its four hexadecimal digits and `_`, as
 * spreadsheets do, because XML cannot contain it.
 */
const xmlText = (text: string) =>
  text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[^\t\n\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      return `_x${code}_`
    })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
