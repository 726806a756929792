import { stripTypeScriptTypes } from 'node:module'
import { lineAt, type Source } from './sources.ts'

/** An assertion of a type that is not checked: `value!`, or `value as Type`. `as const` asserts nothing. */
export type TypeAssertion = { at: string; kind: '!' | 'as'; hasReason: boolean }

/** A comment so near above an assertion is its reason. */
const reasonReach = 5

/**
 * The assertions of a file. Node itself tells types from code: where it strips the types, what it empties after an
 * expression begins with `!` or `as`; what it empties elsewhere begins with `:`, `<`, `type` and the like.
 */
export function typeAssertionsOf({ path, text }: Source): TypeAssertion[] {
  const code = stripTypeScriptTypes(text)
  if (code.length !== text.length) throw new Error(`${path} has another length without its types`)
  const lines = text.split('\n')
  return emptiedIn(text, code).flatMap(({ index, emptied }) => {
    const line = lineAt(text, index)
    const near = lines.slice(Math.max(0, line - 1 - reasonReach), line).join('\n')
    const found = { at: `${path}:${line}`, hasReason: /(?:^|\s)(?:\/\/|\*) /.test(near) }
    return kindsIn(emptied).map((kind) => ({ ...found, kind }))
  })
}

/** The stretches of a text that are empty in its code, with the space between them. */
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

/** More assertions than one in so many lines are too many, of either kind. */
const linesPerAssertion = 1_000

/** What is wrong with the assertions of the program: too many of a kind, or one without its reason in a comment. */
export function assertionFaults(program: Source[], allowed = allowedIn(program)): string[] {
  const all = program.flatMap(typeAssertionsOf)
  const byKind = Map.groupBy(all, ({ kind }) => kind)
  return [
    ...[...byKind]
      .filter(([, ofKind]) => ofKind.length > allowed)
      .map(([kind, { length }]) => `${length} times "${kind}", where ${allowed} are enough`),
    ...all
      .filter(({ hasReason }) => !hasReason)
      .map(({ at, kind }) => `${at} says "${kind}" without a reason`),
  ]
}

const allowedIn = (program: Source[]) =>
  Math.floor(program.reduce((lines, { text }) => lines + text.split('\n').length, 0) / linesPerAssertion)
