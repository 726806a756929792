import type { RouteKind, RouteName } from './routes.ts'
import type { Row } from './rows.ts'
import { cores } from './usage.ts'

// A table at most 110 columns wide, and the sentences below it.

const widths = [23, 7, 7, 7, 7, 10, 6, 6, 7, 5, 4, 6, 6, 8]

export function tableHead(): string {
  const over = ['batch'.padStart(61), `percent of ${cores} cores`.padStart(34), 'x limit of'.padStart(14)]
  const names = [
    '',
    'per s',
    'p50 ms',
    'p99',
    'max',
    'mean/max',
    'tx',
    'drops',
    'server',
    'load',
    'pg',
    'other',
  ]
  return [over.join(''), line([...names, 'db', 'fastify'])].join('\n')
}

export function tableLine(row: Row, rows: Row[]): string {
  const { figures, usage, batches, cost } = row
  if (figures.failed > 0) return `${labelOf(row).padEnd(widths[0]!)}   void: ${figures.failed} calls failed`
  const percent = (share: number | null) => (share === null ? '' : share.toFixed(0))
  const ratio = (value: number | null) => (value === null ? '' : value.toFixed(value < 0.1 ? 3 : 2))
  const { ofDatabase, ofFramework } = ratiosOf(row, rows)
  return line([
    labelOf(row),
    figures.perSecond.toFixed(0),
    ...[figures.p50Ms, figures.p99Ms, figures.maxMs].map(milliseconds),
    batches
      ? `${batches.mean.toFixed(batches.mean < 100 ? 1 : 0)}/${Number.isFinite(batches.max) ? batches.max : 'more'}`
      : '',
    cost ? cost.transactions.toFixed(cost.transactions < 10 ? 2 : 1) : '',
    row.offered === null ? '' : String(figures.dropped),
    ...[usage.server, usage.load, usage.postgres, usage.other].map(percent),
    ratio(ofDatabase),
    ratio(ofFramework),
  ])
}

const line = (cells: string[]) =>
  cells
    .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
    .join('')
    .trimEnd()

const milliseconds = (ms: number) => ms.toFixed(ms < 100 ? 2 : 0)

export function labelOf({ part, target, lanes, offered }: Row): string {
  const name = {
    database: 'database',
    framework: 'framework',
    'in-process': 'in process',
    http: 'HTTP',
    deliveries: 'hooks',
    dials: 'dials',
    payments: 'payments',
    payouts: 'payouts',
    refunds: 'refunds',
    routes: target ?? '',
  }[part]
  const load = offered === null ? String(lanes) : `${offered}/s`
  return [`${name} ${load}`, part === 'routes' ? null : target].filter((word) => word !== null).join(', ')
}

/** Returns the kind of a route that is read, or `undefined` for other rows. */
const kindOf = ({ part, target }: Row): RouteKind | undefined =>
  part === 'routes'
    ? (['GET', 'list', 'page'] as const).find((kind) => target?.split(' ')[0] === kind)
    : undefined

/**
 * Compares a row with the limits that were measured in the same run: with the limits of one connection if the
 * row used only one, otherwise with the limits of all connections.
 */
export function ratiosOf(row: Row, rows: Row[]): { ofDatabase: number | null; ofFramework: number | null } {
  const isOne = row.lanes === 1
  const limit = (part: Row['part']) =>
    rows.find(
      (other) =>
        other.part === part &&
        (other.lanes === 1) === isOne &&
        [null, row.part === 'routes' ? 'spread' : row.target].includes(other.target),
    )
  const framework = () =>
    rows.find(({ part, target }) => part === 'framework' && target === kindOf(row)) ?? limit('framework')
  const to = (other: Row | undefined, perSecond = row.figures.perSecond) =>
    other ? perSecond / other.figures.perSecond : null
  // An open loop has a fixed rate, which says nothing about a limit.
  const isService = row.offered === null && ['in-process', 'http', 'payments', 'routes'].includes(row.part)
  const isWritten = row.part !== 'routes' || row.target?.startsWith('POST ')
  // Compares with as many bare requests as one operation needs.
  const requests = row.figures.perSecond * (row.cost?.requests ?? 1)
  return {
    ofDatabase: isService && isWritten ? to(limit('database')) : null,
    ofFramework: isService && row.part !== 'in-process' ? to(framework(), requests) : null,
  }
}

/** Returns sentences about disk and memory: what an operation of a row costs, and how much memory its node has. */
export const weightLines = (rows: Row[]): string[] =>
  rows.flatMap((row) => {
    const { cost, memory } = row
    if (cost?.bytes == null || cost.logBytes == null || row.part === 'routes') return []
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
    return [
      `${labelOf(row)}: ${kilobytes(cost.bytes)} of data and ${kilobytes(cost.logBytes)} of log each, ${memory} MiB of memory`,
    ]
  })

/** Returns the target of the corresponding row with one Space. */
const inOne = ({ part, target }: Row): Row['target'] =>
  part === 'dials'
    ? 'paid'
    : part === 'routes'
      ? (target?.replace(', Spaces', '') as RouteName)
      : ['payments', 'payouts', 'refunds'].includes(part)
        ? null
        : 'spread'

/** Returns the cost of many Spaces: each row compared with the same row in one Space. */
export function spacesRatios(rows: Row[]): { row: Row; ofOne: number }[] {
  return rows.flatMap((row) => {
    if (!row.target?.endsWith('Spaces')) return []
    const one = rows.find((other) => labelOf({ ...row, target: inOne(row) }) === labelOf(other))
    return one ? [{ row, ofOne: row.figures.perSecond / one.figures.perSecond }] : []
  })
}

/** Returns the cost of a long history: each row compared with the same row before the history was grown. */
export function historyRatios(rows: Row[]): { row: Row; ofYoung: number }[] {
  return rows.flatMap((row) => {
    if (row.historyLines === null) return []
    const young = rows.find(
      (other) => other.historyLines === null && other.part === row.part && labelOf(other) === labelOf(row),
    )
    return young ? [{ row, ofYoung: row.figures.perSecond / young.figures.perSecond }] : []
  })
}
