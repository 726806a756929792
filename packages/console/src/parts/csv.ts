/**
 * Formats objects of the API as CSV (RFC 4180), with one column for each field, such as `amount.value`, as in the
 * exports of the API.
 */
export const csvFile = (rows: readonly object[]): Blob =>
  new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' })

function csvOf(rows: readonly object[]): string {
  const cells = rows.map((row) => new Map(cellsOf(row, '')))
  const names = [...new Set(cells.flatMap((row) => [...row.keys()]))]
  // An object that is null in some rows has its fields as columns, not a column of its own.
  const columns = names.filter((name) => !names.some((other) => other.startsWith(`${name}.`)))
  const lines = [columns, ...cells.map((row) => columns.map((name) => row.get(name) ?? ''))]
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('')
}

function cellsOf(value: unknown, path: string): [name: string, text: string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) => cellsOf(inner, path ? `${path}.${name}` : name))
  return [[path, textOf(value)]]
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeFormula(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Prevents spreadsheets from evaluating user-supplied text as a formula. */
const escapeFormula = (text: string) =>
  /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
