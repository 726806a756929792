import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Machine } from './machine.ts'
import type { Options } from './options.ts'
import type { Row } from './rows.ts'
import { historyRatios, labelOf, ratiosOf } from './table.ts'

/** The stored results of a run. */
export type Results = {
  startedAt: Date
  /** The commit that was measured, followed by `+` if files differed from it; `null` outside a clone. */
  commit: string | null
  machine: Machine
  options: Omit<Options, 'folder' | 'json' | 'against' | 'rounds'>
  booksAddUp: boolean
  /** Reasons why the figures are void; empty if they are valid. */
  flaws: string[]
  rows: (Row & ReturnType<typeof ratiosOf> & { label: string })[]
  history: { label: string; ofYoung: number }[]
}

type Given = Pick<Results, 'startedAt' | 'commit' | 'machine' | 'booksAddUp' | 'flaws'>

/** Writes the results and returns the file name. */
export function writeResults(
  given: Given,
  { folder: _, json, against: __, rounds: ___, ...options }: Options,
  rows: Row[],
): string {
  const results: Results = {
    ...given,
    options,
    rows: rows.map((row) => ({ label: labelOf(row), ...row, ...ratiosOf(row, rows) })),
    history: historyRatios(rows).map(({ row, ofYoung }) => ({ label: labelOf(row), ofYoung })),
  }
  const file = json ?? defaultFile(given.startedAt)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  return file
}

function defaultFile(at: Date): string {
  const digits = at.toISOString().replace(/\D/g, '')
  return path.join(import.meta.dirname, 'results', `${digits.slice(0, 8)}-${digits.slice(8, 12)}.json`)
}
