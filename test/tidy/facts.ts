import type { Page } from './documents.ts'
import { lineAt, type Source } from './sources.ts'

/** A row of a table of facts, which says what proves each: `| fact | test |`. */
export type Fact = { at: string; fact: string; proof: string }

/** The rows of every such table of a page; a `|` of their text is escaped. */
export function factsIn({ path, text }: Page): Fact[] {
  return [...text.matchAll(/^\| fact \| test \|\n\|[-|: ]+\|\n((?:\|.*\n?)+)/gm)].flatMap((table) =>
    [...table[1]!.matchAll(/^\|(.*?)(?<!\\)\|(.*?)(?<!\\)\|?$/gm)].map(({ 1: fact, 2: proof, index }) => ({
      at: `${path}:${lineAt(text, table.index + table[0].indexOf(table[1]!) + index)}`,
      fact: fact!.trim(),
      proof: proof!.trim(),
    })),
  )
}

/** What a test is called, with `…` for what its name is put together from, and the text of its file. */
export type TestName = { name: string; file: string }

export const testNames = (sources: Source[]): TestName[] =>
  sources.flatMap(({ text: file }) =>
    [...file.matchAll(titleForm)].map(([, title]) => ({ name: nameOf(title!), file })),
  )

const inserted = /\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/g
const titleForm = new RegExp(
  `\\b(?:test|describe)\\(\\s*(\`(?:\\\\.|${inserted.source}|[^\`\\\\])*\`|'(?:\\\\.|[^'\\\\])*')`,
  'g',
)

const nameOf = (title: string) => title.slice(1, -1).replaceAll(inserted, '…').replaceAll(/\\(.)/g, '$1')

/**
 * Facts without a test. A cell has names of tests with `; ` between, each as the test is called, with `…` for any part; or
 * `not tested: why`, `not built: why`. Before a name may stand where the test is (`simulator: `), after it a remark: in brackets,
 * or from `, and ` on. `fuzz: all tests` are those of a file.
 */
export const factFaults = (facts: Fact[], names: TestName[]): string[] =>
  facts.flatMap(({ at, proof }) =>
    proof === '' ? [`${at} has no test`] : unprovenIn(proof, names).map((name) => `${at} no test: ${name}`),
  )

function unprovenIn(proof: string, names: TestName[]): string[] {
  const clauses = proof.split('; ')
  const unproven: string[] = []
  for (let first = 0; first < clauses.length; ) {
    // A name may have a semicolon itself.
    const last = clauses.findLastIndex(
      (_, end) => end >= first && isProven(clauses.slice(first, end + 1).join('; '), names),
    )
    if (last < 0) unproven.push(clauses[first]!)
    first = Math.max(last, first) + 1
  }
  return unproven
}

const place = /^[a-z]+(?:, [a-z]+)?: /
const reason = /^not (?:tested|built): \S/

function isProven(clause: string, names: TestName[]): boolean {
  const whole = clause.replaceAll('*', '')
  const named = [whole, whole.replace(place, '')]
  return named.some(
    (name) =>
      reason.test(name) ||
      /^(?:all|both) tests$/.test(name) ||
      shortened(name).some((each) => isName(each, names)),
  )
}

/** With its remarks, and without them. */
function shortened(name: string): string[] {
  const bare = name.replace(/ \([^()]*\)$/, '')
  const ends = [...bare.matchAll(/, and (?!.*;)/g)].map(({ index }) => bare.slice(0, index))
  return [name, bare, ...ends]
}

/** A name that is put together has its words from its file; where next to nothing of it is certain, whole clauses. */
function isName(name: string, names: TestName[]): boolean {
  const words = name.match(/[\p{L}\d_]+/gu) ?? []
  const clauses = name.split(/[:,] /).filter((clause) => clause.split(' ').length > 3)
  return names.some(
    (test) =>
      beginsAlike(name, test.name) &&
      words.every((word) => test.file.includes(word)) &&
      (test.name.replaceAll(/[…\W]/g, '').length >= leastCertain ||
        clauses.every((clause) => test.file.includes(clause))) &&
      canBeEqual(name, test.name),
  )
}

/** Cheap: nearly all names are ruled out by it. */
function beginsAlike(name: string, other: string): boolean {
  const [one = '', two = ''] = [name, other].map((text) => text.split('…', 1)[0])
  return one.startsWith(two) || two.startsWith(one)
}

const leastCertain = 4

/** Whether a name and what a test is called can be the same, where `…` is any part, of the latter without a semicolon. */
function canBeEqual(one: string, other: string): boolean {
  const seen = new Set<number>()
  const from = (i: number, j: number): boolean => {
    const key = i * (other.length + 1) + j
    if (seen.has(key)) return false
    seen.add(key)
    if (i === one.length && j === other.length) return true
    if (one[i] === '…' && (from(i + 1, j) || (j < other.length && from(i, j + 1)))) return true
    if (other[j] === '…' && (from(i, j + 1) || (i < one.length && one[i] !== ';' && from(i + 1, j))))
      return true
    return one[i] !== undefined && one[i] === other[j] && from(i + 1, j + 1)
  }
  return from(0, 0)
}
