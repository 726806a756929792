import path from 'node:path'
import { inspect } from 'node:util'
import { ComparisonError, compareWith } from './against.ts'
import { growLedger, openBooks, proveBooks } from './books.ts'
import { type BenchDatabase, makeLog } from './database.ts'
import { measureDeliveries } from './delivery-rows.ts'
import { measureDials } from './dial-rows.ts'
import { describeMachine, findCommit, findFlaws } from './machine.ts'
import { help, OptionError, type Options, readOptions } from './options.ts'
import { measureOrders } from './order-rows.ts'
import { measurePayments } from './payment-rows.ts'
import { writeResults } from './results.ts'
import { measureRoutes } from './route-rows.ts'
import { measureLimits, measureService, type Row, type Run } from './rows.ts'
import { historyRatios, labelOf, spacesRatios, tableHead, tableLine, weightLines } from './table.ts'
import { withBenchDatabase } from './with-database.ts'

/**
 * `npm run bench`: measures the machine's limits and, in the same run, the service. All processes that it
 * starts end with it. Exits with 1 if a request failed or the books do not balance; such a run is void.
 */
const disturbedPercent = 10

try {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) process.stdout.write(help)
  else if (options.against !== undefined)
    compareWith(options.against, options.rounds, ownArgs(process.argv.slice(2)))
  else
    process.exitCode = await withBenchDatabase(
      process.env.DATABASE_URL || undefined,
      options.folder,
      (database) => bench(options, database),
    )
} catch (error) {
  if (!(error instanceof OptionError || error instanceof ComparisonError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function bench(options: Options, database: BenchDatabase): Promise<number> {
  const startedAt = new Date()
  const machine = await describeMachine(database)
  print(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.filesystem}; ` +
      `Node ${machine.node.slice(1)}, PostgreSQL ${machine.postgres}`,
  )
  const flaws = findFlaws(machine)
  await makeLog(database, options.seconds)
  const books = await openBooks(database, options.accounts, options.spaces)
  const rows: Row[] = []
  const told = (row: Row) => {
    rows.push(row)
    print(tableLine(row, rows))
    const { failed, failure } = row.figures
    if (failed > 0) flaws.push(`${labelOf(row)}: ${failed} failed; first error: ${failure}`)
  }
  const run: Run = { options, database, books, told }

  print(`\n${tableHead()}`)
  await measureLimits(run)
  await measureService(run, null)
  await measureDeliveries(run)
  await measureDials(run)
  await measurePayments(run)
  await measureOrders(run)
  await measureRoutes(run)
  for (const { row, ofOne } of spacesRatios(rows))
    print(`${labelOf(row)}: ${(100 * ofOne).toFixed(0)}% of the rate in one Space`)
  print('')
  for (const sentence of weightLines(rows)) print(sentence)
  if (options.historyLines > 0) {
    await growLedger(database, books, options.historyLines, (lines) =>
      showProgress(lines, options.historyLines),
    )
    print(`With ${options.historyLines.toLocaleString('en')} lines in the ledger:`)
    await measureService(run, options.historyLines)
    print('')
    for (const { row, ofYoung } of historyRatios(rows))
      print(`${labelOf(row)}: ${(100 * ofYoung).toFixed(0)}% of the rate before`)
  }

  await database.client.query('drop schema bench cascade')
  const { ok, checks } = await proveBooks(database)
  print(`\nThe books ${ok ? 'balance' : 'DO NOT BALANCE: this run is void'} (${checks[0]!.examined} lines)`)
  for (const { name, differences } of checks)
    if (differences.length > 0)
      print(`  ${name}: ${inspect(differences[0], { breakLength: Number.POSITIVE_INFINITY })}`)
  for (const flaw of flaws) print(`Void: ${flaw}`)
  const disturbed = rows.filter(({ usage }) => usage.other > disturbedPercent).length
  if (disturbed > 0)
    print(
      `Disturbed: during ${disturbed} of ${rows.length} rows, other processes used over ${disturbedPercent}% of this machine`,
    )

  const commit = findCommit()
  const file = writeResults({ startedAt, commit, machine, booksAddUp: ok, flaws }, options, rows)
  print(`Results: ${path.relative(process.cwd(), file)}`)
  return ok && flaws.length === 0 ? 0 : 1
}

/** Returns the arguments without those that only concern the comparison. */
function ownArgs(args: string[]): string[] {
  const isOfComparison = (arg = '') => /^--(?:against|rounds)(?:=|$)/.test(arg)
  return args.filter(
    (arg, i) => !isOfComparison(arg) && !(isOfComparison(args[i - 1]) && !args[i - 1]?.includes('=')),
  )
}

function showProgress(lines: number, wanted: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(
    `\rgrowing: ${((100 * lines) / wanted).toFixed(0)} %${lines >= wanted ? '\r\x1b[K' : ''}`,
  )
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
