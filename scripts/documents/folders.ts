import { readFileSync } from 'node:fs'
import path from 'node:path'
import { slices } from '../../packages/server/src/slices.ts'
import { code, page, table, writtenByCode } from './markdown.ts'

const source = path.resolve(import.meta.dirname, '../../packages/server/src')

/** Lists the folders of the slices, and `demo` and `cli`, in import order. */
export const foldersInOrder = (): string[] => [...slices.map(({ folder }) => folder), 'demo', 'cli']

/** Returns the slice that contains a file of the server, or `undefined` for files directly in its `src`. */
export const sliceOf = (file: string): string | undefined =>
  foldersInOrder().find((folder) => file.startsWith(`packages/server/src/${folder}/`))

/** Wings that contain several slices. Every other wing is a slice itself. */
const wings: Record<string, string> = {
  tenants: 'Spaces (the tenants) and the people who use them.',
  ledger: 'Double-entry accounting.',
  rails: 'Connections to providers, and the instructions sent to them.',
  money: 'Money in and out.',
  'ways-to-pay': 'How payers pay: pages, links, codes and USSD.',
  finance: 'Reconciliation, settlements, the proof of the books, and reports.',
  operations: 'Routes for operators and settings for members; the console and the documentation.',
}

/** Returns `packages/server/src/README.md`, which lists every wing with its slices. */
export function writeFolders(): string {
  const byWing = Map.groupBy(foldersInOrder(), (folder) => folder.split('/')[0]!)
  return page(
    writtenByCode('`packages/server/src/slices.ts` and the first sentence of each README'),
    '# Folders',
    'The folders of the program in import order: a slice imports only itself and the slices above it in this list. [ARCHITECTURE.md](../../../ARCHITECTURE.md) explains the rest.',
    ...[...byWing].flatMap(([wing, folders]) => [
      wings[wing] === undefined ? undefined : `**${wing}**: ${wings[wing]}`,
      table(['folder', 'purpose'], folders.map(rowOf)),
    ]),
  )
}

function rowOf(folder: string): string[] {
  const readme = readFileSync(path.join(source, folder, 'README.md'), 'utf8')
  const [, sentence] = /^# .+\n\n([\s\S]+?\.)(?=\s)/.exec(readme) ?? []
  if (sentence === undefined)
    throw new Error(`packages/server/src/${folder}/README.md must start with its name and a sentence`)
  return [`[${code(folder)}](${folder}/README.md)`, sentence.replaceAll('\n', ' ')]
}
