import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { foldersInOrder } from './architecture.ts'
import { page, table, writtenByCode } from './markdown.ts'

const folder = path.resolve(import.meta.dirname, '../../docs/decisions')

/** The head of a decision page: `Slice: ledger · Status: in force, replaces [75](0075-….md)`. */
export type Decision = {
  number: number
  file: string
  title: string
  slice: string
  summary: string
  /** The decision that replaced this one, if any, and those that this one replaced. */
  replacedBy: number | undefined
  replaces: number[]
}

/** Reads all decisions, by number. */
export const readDecisions = (): Decision[] =>
  readdirSync(folder)
    .filter((file) => /^\d{4}-/.test(file))
    .sort()
    .map((file) => readDecision(file, readFileSync(path.join(folder, file), 'utf8')))

/** @throws Error that names the file if its head is malformed */
export function readDecision(file: string, text: string): Decision {
  const head = /^# (\d+)\. (.+)\n\nSlice: ([\w -]+) · Status: (.+)\n\n((?:[^#\n].*\n)+)/.exec(text)
  if (!head)
    throw new Error(
      `docs/decisions/${file} must start with a title, "Slice: … · Status: …" and a one-sentence summary`,
    )
  const [number, title, slice, status, summary] = head.slice(1) as [string, string, string, string, string]
  const form = /^(?:in force(?:, replaces (\[.+))?|replaced by (\[.+))$/.exec(status)
  if (!form)
    throw new Error(`docs/decisions/${file} must be in force or replaced by another decision: ${status}`)
  return {
    number: Number(number),
    file,
    title,
    slice,
    summary: summary.trim().replaceAll('\n', ' '),
    replacedBy: numbersIn(form[2])[0],
    replaces: numbersIn(form[1]),
  }
}

const numbersIn = (links = '') => [...links.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))

/** `docs/decisions/README.md`: all decisions, by slice. */
export function writeDecisions(decisions: Decision[] = readDecisions()): string {
  const bySlice = Map.groupBy(decisions, ({ slice }) => slice)
  // Decisions about the whole program come first.
  const order = foldersInOrder()
  const slices = [...bySlice.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return page(
    writtenByCode('the heads of the pages'),
    '# Decisions',
    introduction,
    ...slices.flatMap((slice) => [
      `## ${slice}`,
      table(['', 'decision', 'status', 'summary'], bySlice.get(slice)!.map(cells)),
    ]),
  )
}

const introduction = `Why things are as they are: one page for each choice that the [specification](../spec/payments-service-api.md) leaves open, or that a new contributor might question. Pages describe the current state: if a decision changes, its page changes with the code, and git keeps the history. A replaced decision stays and names its replacement. Missing numbers were never used.

Slices are in the order of [ARCHITECTURE.md](../../ARCHITECTURE.md#folders-in-order), after decisions about the whole program.`

function cells({ number, file, title, summary, replacedBy }: Decision): string[] {
  const status = replacedBy === undefined ? 'in force' : `replaced by ${replacedBy}`
  return [String(number), `[${title}](${file})`, status, summary]
}
