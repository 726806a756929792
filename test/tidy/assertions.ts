import { stripTypeScriptTypes } from 'node:module'
import { lineAt, type Source } from './sources.ts'

/** An unchecked type assertion: `value!` or `value as Type`. `as const` does not count. */
export type TypeAssertion = { at: string; kind: '!' | 'as'; hasReason: boolean }

/** A comment at most this many lines above an assertion counts as its reason. */
const reasonReach = 5

/**
 * Returns the assertions of a file. They are found with node's own type stripping: what it blanks out after an
 * expression begins with `!` or `as`, and what it blanks out elsewhere begins with `:`, `<`, `type` and the
 * like.
 */
export function typeAssertionsOf({ path, text }: Source): TypeAssertion[] {
  const code = stripTypeScriptTypes(text)
  if (code.length !== text.length)
    throw new Error(`the length of ${path} changes when its types are stripped`)
  const lines = text.split('\n')
  return emptiedIn(text, code).flatMap(({ index, emptied }) => {
    const line = lineAt(text, index)
    const near = lines.slice(Math.max(0, line - 1 - reasonReach), line).join('\n')
    const found = { at: `${path}:${line}`, hasReason: /(?:^|\s)(?:\/\/|\*) /.test(near) }
    return kindsIn(emptied).map((kind) => ({ ...found, kind }))
  })
}

/** Returns the parts of a text that are blank in its code, with the spaces between them. */
function emptiedIn(text: string, code: string): { index: number; emptied: string }[] {
  const found: { index: number; emptied: string }[] = []
  for (let i = 0; i < text.length; ) {
    const index = i
    while (i < text.length && (text[i] !== code[i] || (i > index && /\s/.test(text[i]!)))) i++
    if (i > index) found.push({ index, emptied: text.slice(index, i) })
    else i++
  }
  return found
}

function kindsIn(emptied: string): TypeAssertion['kind'][] {
  const [, marks = '', rest = ''] = /^([!\s]*)([\s\S]*)$/.exec(emptied) ?? []
  const asserted = /^(?:as|satisfies)\b/.test(rest) ? rest.matchAll(/\bas\s+(?!const\b)/g) : []
  return [
    ...marks
      .replaceAll(/\s/g, '')
      .split('')
      .map(() => '!' as const),
    ...[...asserted].map(() => 'as' as const),
  ]
}

/** One assertion of each kind is allowed for this many lines. */
const linesPerAssertion = 1_000

/**
 * Returns an error for each kind of assertion that occurs too often, and for each assertion without a reason in
 * a comment.
 */
export function assertionIssues(program: Source[], allowed = allowedIn(program)): string[] {
  const all = program.flatMap(typeAssertionsOf)
  const byKind = Map.groupBy(all, ({ kind }) => kind)
  return [
    ...[...byKind]
      .filter(([, ofKind]) => ofKind.length > allowed)
      .map(([kind, { length }]) => `"${kind}" occurs ${length} times; the limit is ${allowed}`),
    ...all
      .filter(({ hasReason }) => !hasReason)
      .map(({ at, kind }) => `${at} has "${kind}" without a reason`),
  ]
}

const allowedIn = (program: Source[]) =>
  Math.floor(program.reduce((lines, { text }) => lines + text.split('\n').length, 0) / linesPerAssertion)
