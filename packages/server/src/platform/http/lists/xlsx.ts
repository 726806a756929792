import { strToU8, Zip, ZipDeflate } from 'fflate'
import { cellOf, type LocalTime, type SheetCell, textCell } from './cells.ts'
import type { ExportColumn } from './columns.ts'
import {
  contentTypes,
  rootRelations,
  sheetBegin,
  sheetEnd,
  styles,
  stylesPart,
  workbookPart,
  workbookRelations,
} from './workbook.ts'

const maxSheetRows = 1_048_576 // limit: rows of a sheet of an XLSX file, with its header; then another sheet begins
const maxSheetBytes = 2 ** 31 // bytes of a sheet before compression; a ZIP archive allows twice as many
const maxFileBytes = 2 ** 32 - 2 ** 20 // bytes of an XLSX file; a ZIP archive allows no more
/** Compresses the repetitive XML to a tenth. Higher levels take twice the time and save another fifth. */
const compression = { level: 4 } as const
const columnWidths = { min: 10, max: 60 }

/**
 * Writes a table as an XLSX file, piece by piece, in constant memory. `rows` and `end` return the next part of the
 * file, which may be empty. The same table always results in the same bytes.
 */
export function createXlsxWriter(
  title: string,
  columns: ExportColumn[],
  localTime: LocalTime,
  maxRows = maxSheetRows,
) {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  let size = 0
  const take = (): Buffer => {
    const bytes = Buffer.concat(pieces.splice(0))
    size += bytes.length
    if (size > maxFileBytes) throw new Error('an XLSX file exceeds 4 GB')
    return bytes
  }
  const openPart = (name: string) => {
    const part = new ZipDeflate(name, compression)
    // The format has no time zones and begins in 1980.
    part.mtime = new Date(1980, 0, 1)
    zip.add(part)
    return (text: string, isLast = false) => part.push(strToU8(text), isLast)
  }
  const addPart = (name: string, text: string) => openPart(name)(text, true)

  let sheets = 0
  let rowCount = 0
  let sheetBytes = 0
  let widths: number[] | undefined
  let write: ReturnType<typeof openPart> | undefined
  const header = columns.map(({ name }) => textCell(name, styles.header))
  const isHidden = columns.map(({ isForPrograms }) => isForPrograms)

  function openSheet(rows: Row[]) {
    write?.(sheetEnd, true)
    widths ??= widthsOf([header, ...rows])
    write = openPart(`xl/worksheets/sheet${++sheets}.xml`)
    const text = sheetBegin(widths, isHidden) + rowXml(header, 1)
    write(text)
    rowCount = 1
    sheetBytes = text.length
  }

  addPart('_rels/.rels', rootRelations)
  addPart('xl/styles.xml', stylesPart)
  return {
    rows(entries: readonly unknown[]): Buffer {
      const rows = entries.map((entry) => columns.map((column) => cellOf(column, entry, localTime)))
      if (!write) openSheet(rows)
      for (const row of rows) {
        if (rowCount === maxRows || sheetBytes > maxSheetBytes) openSheet(rows)
        const text = rowXml(row, ++rowCount)
        write?.(text)
        sheetBytes += text.length
      }
      return take()
    },
    end(): Buffer {
      if (!write) openSheet([])
      write?.(sheetEnd, true)
      addPart('xl/workbook.xml', workbookPart(sheetName(title), sheets))
      addPart('xl/_rels/workbook.xml.rels', workbookRelations(sheets))
      addPart('[Content_Types].xml', contentTypes(sheets))
      zip.end()
      return take()
    },
  }
}

type Row = (SheetCell | undefined)[]

/** Returns the widths of the columns, in characters, measured on the header and the first rows. */
const widthsOf = (rows: Row[]) =>
  (rows[0] ?? []).map((_, column) => {
    const widest = Math.max(...rows.map((row) => row[column]?.width ?? 0))
    return Math.min(columnWidths.max, Math.max(columnWidths.min, widest + 2))
  })

const rowXml = (row: Row, number: number) =>
  `<row r="${number}">${row
    .map((cell, column) =>
      cell ? `<c r="${letters(column)}${number}" s="${cell.style}" t="${cell.type}">${cell.content}</c>` : '',
    )
    .join('')}</row>`

/** Returns the letters of a column: A to Z, then AA. */
function letters(column: number): string {
  const letter = String.fromCharCode('A'.charCodeAt(0) + (column % 26))
  return column < 26 ? letter : letters(Math.floor(column / 26) - 1) + letter
}

/** Sheet names have at most 31 characters, and room is left for a number. Ours contain no forbidden characters. */
const sheetName = (title: string) => title.slice(0, 28)
