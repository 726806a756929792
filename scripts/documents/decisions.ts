import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { foldersInOrder } from './architecture.ts'
import { page, table, writtenByCode } from './markdown.ts'

const folder = path.resolve(import.meta.dirname, '../../docs/decisions')

/** What the head of a decision's page says: `Slice: ledger · Status: in force, replaces [75](0075-….md)`. */
export type Decision = {
  number: number
  file: string
  title: string
  slice: string
  summary: string
  /** The decision in whose place it stands now, if any, and those in whose places it stands. */
  replacedBy: number | undefined
  replaces: number[]
}

/** Every decision there is, by number. */
const readDecisions = (): Decision[] =>
  readdirSync(folder)
    .filter((file) => /^\d{4}-/.test(file))
    .sort()
    .map((file) => readDecision(file, readFileSync(path.join(folder, file), 'utf8')))

/** @throws Error naming the file when its head has another form */
function readDecision(file: string, text: string): Decision {
  const head = /^# (\d+)\. (.+)\n\nSlice: ([\w -]+) · Status: (.+)\n\n((?:[^#\n].*\n)+)/.exec(text)
  if (!head)
    throw new Error(
      `docs/decisions/${file} does not begin with title, "Slice: … · Status: …" and a sentence that sums it up`,
    )
  const [number, title, slice, status, summary] = head.slice(1) as [string, string, string, string, string]
  const form = /^(?:in force(?:, replaces (\[.+))?|replaced by (\[.+))$/.exec(status)
  if (!form) throw new Error(`docs/decisions/${file} is neither in force nor replaced by another: ${status}`)
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

/** `docs/decisions/README.md`: every decision once, by slice. */
export function writeDecisions(decisions: Decision[] = readDecisions()): string {
  const bySlice = Map.groupBy(decisions, ({ slice }) => slice)
  // What is no folder, the program as a whole, stands before them.
  const order = foldersInOrder()
  const slices = [...bySlice.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return page(
    writtenByCode('the heads of the pages'),
    '# Decisions',
    introduction,
    ...slices.flatMap((slice) => [
      `## ${slice}`,
      table(['', 'decision', 'status', 'in a sentence'], bySlice.get(slice)!.map(cells)),
    ]),
  )
}

const introduction = `Why it is so: one page for each choice that the [specification](../spec/payments-service-api.md) leaves open, or that a newcomer might question. A page says what is true now: when a decision changes, its page changes with the code, and git has the history. One that another decision replaces stays, and says which. A number that is missing was never used.

Slices stand in the order of [ARCHITECTURE.md](../../ARCHITECTURE.md#folders-in-order); what concerns the program as a whole comes first.`

function cells({ number, file, title, summary, replacedBy }: Decision): string[] {
  const status = replacedBy === undefined ? 'in force' : `replaced by ${replacedBy}`
  return [String(number), `[${title}](${file})`, status, summary]
}
