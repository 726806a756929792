import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Results } from './results.ts'
import { cores } from './usage.ts'

/** Thrown if a tree cannot be measured. The message says which command failed. */
export class ComparisonError extends Error {}

type MeasuredRow = Pick<Results['rows'][number], 'label' | 'figures' | 'usage'>
/** The rows of one run of each tree, one after the other. */
export type Pair = { before: MeasuredRow[]; now: MeasuredRow[] }

const repository = path.resolve(import.meta.dirname, '..')

/**
 * Measures this tree and the one of a commit in alternating rounds, with this tree's benchmark and the same options,
 * and prints how they compare. A single run says more about the machine than about the code.
 */
export function compareWith(commit: string, rounds: number, args: string[]): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-bench-'))
  const tree = path.join(folder, 'tree')
  try {
    checkOut(commit, tree)
    const pairs: Pair[] = []
    for (let round = 0; round < rounds; round += 1) {
      // The order alternates, so that a machine that becomes slower favours neither tree.
      const order = round % 2 === 0 ? [tree, repository] : [repository, tree]
      const measured = order.map((one) => ({
        one,
        rows: measure(one, path.join(folder, 'results.json'), args),
      }))
      const rowsOf = (one: string) => measured.find((each) => each.one === one)?.rows ?? []
      pairs.push({ before: rowsOf(tree), now: rowsOf(repository) })
      process.stdout.write(`${linesOf(pairs).join('\n')}\n\n`)
    }
  } finally {
    spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: repository })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Checks out a commit and installs its dependencies. Its benchmark is replaced by the one of this tree. */
function checkOut(commit: string, tree: string): void {
  run('git', ['worktree', 'add', '--detach', tree, commit], repository)
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], tree)
  run(process.execPath, ['scripts/setup.mjs'], tree)
  rmSync(path.join(tree, 'bench'), { recursive: true })
  cpSync(path.join(repository, 'bench'), path.join(tree, 'bench'), { recursive: true })
}

function measure(tree: string, json: string, args: string[]): MeasuredRow[] {
  run(process.execPath, ['bench/main.ts', ...args, '--json', json], tree)
  const { rows }: Pick<Results, 'rows'> = JSON.parse(readFileSync(json, 'utf8'))
  return rows
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new ComparisonError(`${command} ${args[0]} failed in ${cwd}:\n${stdout}${stderr}`)
}

const widths = [24, 9, 9, 22, 22, 22, 22]

/** Returns a table with the median figures of both trees and, for each ratio, its median and spread. */
export function linesOf(pairs: Pair[]): string[] {
  const labels = new Set(pairs.flatMap(({ now }) => now.map(({ label }) => label)))
  const head = [`${pairs.length} pairs`, 'before/s', 'now/s', 'x rate', 'x CPU each', 'x p50', 'x p99']
  return [
    line(head),
    ...[...labels].flatMap((label) => {
      const both = pairs.flatMap(({ before, now }) => {
        const [one, other] = [before, now].map((rows) => rows.find((row) => row.label === label))
        return one && other ? [{ before: one, now: other }] : []
      })
      if (both.length === 0) return []
      const ratio = (of: (row: MeasuredRow) => number) =>
        spread(both.map(({ before, now }) => of(now) / of(before)))
      const rate = (row: MeasuredRow) => row.figures.perSecond
      return [
        line([
          label,
          median(both.map(({ before }) => rate(before))).toFixed(0),
          median(both.map(({ now }) => rate(now))).toFixed(0),
          ratio(rate),
          ratio(processorMsOf),
          ratio(({ figures }) => figures.p50Ms),
          ratio(({ figures }) => figures.p99Ms),
        ]),
      ]
    }),
  ]
}

/** Processor time of the node and the database per operation, in milliseconds. */
const processorMsOf = ({ figures, usage }: MeasuredRow) =>
  (((usage.server ?? 0) + (usage.postgres ?? 0)) / 100) * cores * (1000 / figures.perSecond)

const line = (cells: string[]) =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('')

function spread(ratios: number[]): string {
  const known = ratios.filter(Number.isFinite)
  if (known.length === 0) return ''
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return `${median(known).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}
