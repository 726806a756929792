import { readFileSync } from 'node:fs'
import path from 'node:path'
import { slices } from '../../src/slices.ts'
import { code, table, writtenByCode } from './markdown.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The folders of src/ in the order in which they may import each other. */
export const foldersInOrder = (): string[] => [...slices.map(({ name }) => name), 'cli']

const head = writtenByCode('`src/slices.ts` and the first sentence of each README')
const end = '<!-- The end of what is written by code. -->'

/** `ARCHITECTURE.md`, with its table of folders as it should be; the rest of it stays as it is. */
export const writeArchitecture = (text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')): string =>
  inTwo(text).join(
    `${head}\n\n${table(['folder', 'what it is about'], foldersInOrder().map(rowOf))}\n\n${end}`,
  )

/** What people wrote of ARCHITECTURE.md: before the table, and after it. */
function inTwo(text: string): [string, string] {
  const [before, after] = [text.indexOf(head), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error('ARCHITECTURE.md has no place for its table of folders')
  return [text.slice(0, before), text.slice(after + end.length)]
}

function rowOf(folder: string): string[] {
  const readme = readFileSync(path.join(root, 'src', folder, 'README.md'), 'utf8')
  const [, sentence] = /^# .+\n\n([\s\S]+?\.)(?=\s)/.exec(readme) ?? []
  if (sentence === undefined)
    throw new Error(`src/${folder}/README.md does not begin with its name and a sentence`)
  return [`[${code(folder)}](src/${folder}/README.md)`, sentence.replaceAll('\n', ' ')]
}
