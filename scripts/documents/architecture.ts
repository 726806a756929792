import { readFileSync } from 'node:fs'
import path from 'node:path'
import { slices } from '../../src/slices.ts'
import { code, table, writtenByCode } from './markdown.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Lists the folders of src/ in import order. */
export const foldersInOrder = (): string[] => [...slices.map(({ folder }) => folder), 'cli']

const head = writtenByCode('`src/slices.ts` and the first sentence of each README')
const end = '<!-- End of the generated part. -->'

/** Returns `ARCHITECTURE.md` with an updated table of folders. */
export const writeArchitecture = (text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')): string =>
  inTwo(text).join(`${head}\n\n${table(['folder', 'purpose'], foldersInOrder().map(rowOf))}\n\n${end}`)

/** Returns the handwritten parts of ARCHITECTURE.md before and after the table. */
function inTwo(text: string): [string, string] {
  const [before, after] = [text.indexOf(head), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error('ARCHITECTURE.md has no markers for its table of folders')
  return [text.slice(0, before), text.slice(after + end.length)]
}

function rowOf(folder: string): string[] {
  const readme = readFileSync(path.join(root, 'src', folder, 'README.md'), 'utf8')
  const [, sentence] = /^# .+\n\n([\s\S]+?\.)(?=\s)/.exec(readme) ?? []
  if (sentence === undefined)
    throw new Error(`src/${folder}/README.md must start with its name and a sentence`)
  return [`[${code(folder)}](src/${folder}/README.md)`, sentence.replaceAll('\n', ' ')]
}
