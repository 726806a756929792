import { type Call, type Route, read } from '../../platform/http/commands/route.ts'
import { openCursor, sealCursor } from '../../platform/http/lists/cursor.ts'
import { defaultPageSize } from '../../platform/http/lists/lists.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import {
  openStatement,
  readStatementLines,
  type StatementPosition,
  statementStart,
  sumStatement,
} from './account-statements.ts'
import { requireBalances } from './accounts.ts'
import { parseRange } from './range.ts'
import { accountIds } from './resources.ts'
import { fileRows, type StatementParts } from './statement-files.ts'
import {
  fileEntry,
  presentStatement,
  statementLines,
  statementQuery,
  statementShape,
} from './statement-shapes.ts'

const url = '/v1/financial-accounts/:id/statement'

type StatementCall = Call<{
  from?: string
  to?: string
  limit?: number
  after?: string
  withTotals?: boolean
}>

// This module is loaded on demand, because its fonts and tables would make up a fifth of everything that is
// loaded at startup.
const pdf = () => import('./statement-pdf.ts')

/** Serves the statement of an account, as pages of JSON or as a single CSV, XLSX or PDF file. */
export function statementRoutes(parts: StatementParts): Route[] {
  const { db, seals, baseUrl } = parts

  async function open(call: StatementCall) {
    requireBalances(call)
    const range = await parseRange(db, call.scope, call.query, call.now)
    return openStatement(db, call.scope, call.id, range)
  }

  /** Opens a statement for a file, which contains all lines of the range. */
  async function openWhole(call: StatementCall) {
    for (const param of ['limit', 'after', 'withTotals'] as const)
      if (call.query[param] !== undefined)
        throw argumentRefusal(param, 'applies to JSON only; a file contains all lines and their totals')
    const statement = await open(call)
    const { account, range } = statement
    const day = (moment: Date) => moment.toISOString().slice(0, 10)
    return { statement, name: `statement-${account.uvan}-${day(range.from)}-${day(range.to)}` }
  }

  return [
    read({
      url,
      summary: 'Retrieve the statement of a financial account',
      permission: 'financial-transactions:read',
      idKind: accountIds,
      query: statementQuery,
      result: statementShape,
      async read(call) {
        const { scope, query } = call
        const statement = await open(call)
        const { from, to } = statement.range
        const filters = { id: call.id, from: from.toISOString(), to: to.toISOString() }
        const binding = { ...scope, url, filters }
        const place =
          query.after === undefined
            ? statementStart(statement)
            : placeOf(openCursor(seals, binding, query.after))
        const { limit: size = defaultPageSize, withTotals = true } = query
        const totals = withTotals ? await sumStatement(db, scope, statement) : undefined
        const lines = await readStatementLines(db, scope, statement, place, size + 1)
        const page = lines.slice(0, size)
        const last = lines.length > size ? page.at(-1) : undefined
        return {
          ...presentStatement(statement, totals),
          lines: page.map(statementLines(baseUrl, scope)),
          next: last ? sealCursor(seals, binding, `${last.seq}:${last.balance}`) : null,
        }
      },
      table: {
        shape: fileEntry,
        async open(call) {
          const { statement, name } = await openWhole(call)
          return { name, stretches: fileRows(parts, call.scope, statement) }
        },
      },
      files: {
        'application/pdf': {
          async open(call, acceptLanguage) {
            const { statement, name } = await openWhole(call)
            const { writePdf } = await pdf()
            return { name: `${name}.pdf`, chunks: writePdf(parts, call.scope, statement, acceptLanguage) }
          },
        },
      },
    }),
  ]
}

function placeOf(position: string): StatementPosition {
  const [seq = '', balance = ''] = position.split(':')
  return { seq: BigInt(seq), balance: BigInt(balance) }
}
