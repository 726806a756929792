import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { foldersInOrder } from './folders.ts'
import { page, table, writtenByCode } from './markdown.ts'

const folder = path.resolve(import.meta.dirname, '../../docs/decisions')

/** A decision record: number and title, `Slice: ledger · Status: in force`, a one-sentence summary, then its sections. */
export type Decision = {
  number: number
  file: string
  title: string
  slice: string
  summary: string
  sections: string[]
}

/** Returns every decision record, by number. */
export const readDecisions = (): Decision[] =>
  readdirSync(folder)
    .filter((file) => /^\d{4}-/.test(file))
    .sort()
    .map((file) => readDecision(file, readFileSync(path.join(folder, file), 'utf8')))

/** @throws Error naming the file if its head has another form */
export function readDecision(file: string, text: string): Decision {
  const head = /^# (\d+)\. (.+)\n\nSlice: ([\w /-]+) · Status: in force\n\n((?:[^#\n].*\n)+)/.exec(text)
  if (!head)
    throw new Error(
      `docs/decisions/${file} does not begin with a title, "Slice: … · Status: in force" and a summary`,
    )
  const [number, title, slice, summary] = head.slice(1) as [string, string, string, string]
  return {
    number: Number(number),
    file,
    title,
    slice,
    summary: summary.trim().replaceAll('\n', ' '),
    sections: [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!),
  }
}

/** Writes `docs/decisions/README.md`, which lists every decision once, by slice. */
export function writeDecisions(decisions: Decision[] = readDecisions()): string {
  const bySlice = Map.groupBy(decisions, ({ slice }) => slice)
  // "the program" is not a folder and comes first.
  const order = foldersInOrder()
  const slices = [...bySlice.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return page(
    writtenByCode('the heads of the pages'),
    '# Decisions',
    introduction,
    ...slices.flatMap((slice) => [
      `## ${slice}`,
      table(['', 'decision', 'in a sentence'], bySlice.get(slice)!.map(cells)),
    ]),
  )
}

const introduction =
  'These records explain why the service is built the way it is. There is one page for each choice that the [specification](../spec/payments-service-api.md) leaves open or that a newcomer might question, with the alternatives that were rejected. A record describes the present: when a decision changes, its page changes with the code, and the history is in git. Smaller decisions are in the README of their slice. The slices are in the order of [packages/server/src/README.md](../../packages/server/src/README.md).'

const cells = ({ number, file, title, summary }: Decision): string[] => [
  String(number),
  `[${title}](${file})`,
  summary,
]
