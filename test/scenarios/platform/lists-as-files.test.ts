import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { parse } from 'csv-parse/sync'
import { entriesOf, openStock } from '../../support/examples.ts'
import { startTestApp } from '../../support/harness.ts'
import { asCsvRows, readSpreadsheet, withoutApostrophe } from '../../support/spreadsheet.ts'

const simulatorClock = createManualClock()
const t = await startTestApp({
  hasLiveProvider: true,
  app: { simulatorClock },
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
})
after(() => t.close())

const entries = await entriesOf(t)
const merchant = await t.merchant({ isOperator: true })
const stock = await openStock(t, merchant, entries, {
  // Cells that start like this are escaped.
  freeText: '=free text, "quoted"',
  turn: () => simulatorClock.advance(300),
}).fill()
await stock.settle()

type Fields = Record<string, unknown>

async function bytesOf(path: string, accept: string): Promise<Buffer> {
  const headers = {
    authorization: `Bearer ${merchant.tokenFor(path)}`,
    'service-space-id': merchant.spaceId,
    accept,
  }
  const response = await fetch(t.baseUrl + path, { headers })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}
const fileOf = async (path: string, accept: string) => (await bytesOf(path, accept)).toString()
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Reads all pages of a list. */
async function entriesAt(path: string): Promise<Fields[]> {
  const all: Fields[] = []
  const join = path.includes('?') ? '&' : '?'
  for (let next: string | null = ''; next !== null; ) {
    const { body } = await merchant.call('GET', `${path}${join}limit=50&after=${next}`)
    all.push(...body.result)
    next = body.pagination.next
  }
  return all
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the paths of all values of an entry that are neither objects nor null. */
function leavesOf(value: unknown, at: string[] = []): string[] {
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...at, name]))
  return value === null ? [] : [at.join('.')]
}

const valueAt = (entry: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), entry)

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** Returns the cells of a list as an XLSX file, once the list as CSV is the same before and after. */
async function spreadsheetAndCsv(path: string) {
  for (;;) {
    const csv = await fileOf(path, 'text/csv')
    const [sheet] = readSpreadsheet(await bytesOf(path, xlsx))
    if (isGrowing(path) || csv === (await fileOf(path, 'text/csv')))
      return { csv: parse(csv) as string[][], sheet: sheet! }
  }
}

/** Lists that grow with every read. */
const isGrowing = (url: string) => url === '/v1/requests'

describe('every list', () => {
  for (const { route } of entries.filter(({ route: { kind } }) => kind === 'list'))
    test(`GET ${route.url} returns the same entries as pages, as CSV and as lines of JSON`, async () => {
      const path = `${stock.pathOf(route)}${route.url === '/v1/financial-accounts' ? '?withBalance=true' : ''}`
      const listed = await entriesAt(path)
      assert.ok(listed.length > 0, 'there is something to compare')
      const [header = [], ...rows]: string[][] = parse(await fileOf(path, 'text/csv'))
      const lines = (await fileOf(path, 'application/x-ndjson')).split('\n').slice(0, -1)
      if (isGrowing(route.url)) {
        rows.splice(0, rows.length - listed.length)
        lines.splice(0, lines.length - listed.length)
      }
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        listed,
      )
      assert.equal(new Set(header).size, header.length, 'no column is duplicated')
      assert.equal(rows.length, listed.length)
      for (const [i, entry] of listed.entries()) {
        const cells = new Map(header.map((name, place) => [name, rows[i]?.[place]]))
        for (const [name, cell] of cells) {
          if (name.endsWith('.decimal')) continue
          assert.equal(cell, cellOf(valueAt(entry, name)), name)
        }
        for (const leaf of leavesOf(entry))
          assert.ok(
            header.some((name) => leaf === name || leaf.startsWith(`${name}.`)),
            `${leaf} has no column`,
          )
      }
    })

  for (const { route } of entries.filter(({ route: { kind } }) => kind === 'list'))
    test(`GET ${route.url} as XLSX has exactly the cells of the CSV, typed, below a bold frozen header`, async () => {
      const { csv, sheet } = await spreadsheetAndCsv(stock.pathOf(route))
      const rows = asCsvRows(sheet)
      assert.deepEqual([sheet.pane, sheet.widths.length], ['1 frozen', csv[0]!.length])
      assert.ok(Object.values(sheet.rows[0]!).every(({ isBold }) => isBold))
      if (isGrowing(route.url)) rows.splice(1, rows.length - csv.length)
      assert.deepEqual(
        rows,
        csv.map((row) => row.map(withoutApostrophe)),
      )
      const isNumeric = /(^|\.)(value|decimal|count)$|Time$|^timestamp$/
      for (const row of sheet.rows.slice(1))
        for (const [column, { type }] of Object.entries(row)) {
          const name = sheet.rows[0]![column]!.text
          if (isNumeric.test(name)) assert.equal(type, 'n', name)
        }
    })
})
