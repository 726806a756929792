import { bold, type Stream } from './colour.ts'

export type TableColumn = {
  heading: string
  cells: string[]
  isRight?: boolean
  paint?: (cell: string) => string
}

const gap = '  '
const narrowest = 10 // minimum width of a shortened column on a narrow terminal

/**
 * Formats a table with headings and aligned columns, without trailing spaces. On a terminal, makes every line
 * fit the width: drops the last columns if necessary, then shortens the widest. The first column is usually an
 * id, so it is shortened last.
 */
export function tableText(columns: TableColumn[], stream: Stream): string {
  const shown = fitted(columns, stream.isTTY ? stream.columns : undefined)
  const lineOf = (texts: string[], paints: (TableColumn['paint'] | undefined)[]) =>
    texts
      .map((text, place) => {
        const { width, isRight } = shown[place] ?? { width: 0 }
        const isLast = place === texts.length - 1
        const space = ' '.repeat(Math.max(0, width - widthOf(text)))
        const painted = (paints[place] ?? String)(text)
        return isRight ? space + painted : painted + (isLast ? '' : space)
      })
      .join(gap)
      .trimEnd()
  const rows = shown[0]?.cells.length ?? 0
  const lines = [
    lineOf(
      shown.map(({ heading }) => heading),
      shown.map(() => (text: string) => bold(text, stream)),
    ),
    ...Array.from({ length: rows }, (_, row) =>
      lineOf(
        shown.map(({ cells }) => cells[row] ?? ''),
        shown.map(({ paint }) => paint),
      ),
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

type FittedColumn = TableColumn & { width: number }

function fitted(columns: TableColumn[], maxWidth: number | undefined): FittedColumn[] {
  const whole = columns.map((column) => ({
    ...column,
    width: Math.max(...[column.heading, ...column.cells].map(widthOf)),
  }))
  return maxWidth === undefined ? whole : cut(withRoom(whole, maxWidth), maxWidth)
}

/** Drops the last columns if they would not fit even with all other columns shortened. */
function withRoom(columns: FittedColumn[], maxWidth: number): FittedColumn[] {
  const least = columns.map(({ width }, place) => (place === 0 ? width : Math.min(width, narrowest)))
  if (columns.length === 1 || totalOf(least) <= maxWidth) return columns
  return withRoom(columns.slice(0, -1), maxWidth)
}

function cut(columns: FittedColumn[], maxWidth: number): FittedColumn[] {
  const widths = columns.map(({ width }) => width)
  while (totalOf(widths) > maxWidth) {
    const behind = Math.max(...widths.slice(1), 0)
    // Shortens the first column only when no other column can be shortened.
    const place = behind > narrowest ? widths.indexOf(behind, 1) : 0
    if ((widths[place] ?? 0) <= 1) break
    widths[place] = (widths[place] ?? 0) - 1
  }
  return columns.map((column, place) => {
    const width = widths[place] ?? column.width
    const short = (text: string) => cutTo(text, width)
    return { ...column, width, heading: short(column.heading), cells: column.cells.map(short) }
  })
}

const totalOf = (widths: number[]) =>
  widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u
const invisible = /^[\p{M}\p{Cf}\p{Cc}]+$/u

/**
 * Returns the number of terminal columns that a text takes. East Asian characters and emoji take two columns
 * each, and combining marks take none.
 */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + graphemeWidth(segment), 0)
}

const graphemeWidth = (segment: string) => (invisible.test(segment) ? 0 : wide.test(segment) ? 2 : 1)

function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let [kept, keptWidth] = ['', 0]
  for (const { segment } of graphemes.segment(text)) {
    keptWidth += graphemeWidth(segment)
    if (keptWidth > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
