import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** A file in the repository; `path` is relative to the root. */
export type Source = { path: string; text: string; isTest: boolean }

/**
 * Returns every file in `folder`, at any depth, whose name ends in one of `endings`. A folder that does not
 * exist has no files.
 */
export function sourcesOf(folder: string, ...endings: string[]): Source[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => readSource(path.relative(root, path.join(entry.parentPath, entry.name))))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

export const readSource = (file: string): Source =>
  sourceOf(file, readFileSync(path.join(root, file), 'utf8'))

export const sourceOf = (file: string, text: string): Source => ({
  path: file,
  text,
  isTest: /\.test\.ts$/.test(file) || file.startsWith('test/') || isForTests.test(file),
})

/** Files of a rail that only tests use. */
const isForTests = /^packages\/rails\/[^/]+\/(?:conformance|fuzz|secrets|testing)\.ts$/

export const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Returns each match of a pattern outside comments, located in the form `packages/server/src/ledger/accounts/store.ts:12`. */
export function findIn(source: Source, pattern: RegExp): { at: string; match: RegExpExecArray }[] {
  const code = withoutComments(source.text)
  return [...code.matchAll(pattern)].map((match) => ({
    at: `${source.path}:${lineAt(code, match.index)}`,
    match,
  }))
}

/** Blanks out comments without changing the lines: whole-line `//`, `/** … *​/`, and `//` after code. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, (comment) => ' '.repeat(comment.length))
}

/**
 * Returns the imports of a file: each specifier as written and, if it names a file, that file's path in the
 * repository.
 */
export function importsOf(source: Source): { at: string; specifier: string; file: string | undefined }[] {
  const form = /(?:^(?:import|export)\s[\w$*{},\s]*?\bfrom\s*|^import\s*|\bimport\()'([^'\s]+)'/gm
  return findIn(source, form).map(({ at, match }) => {
    const specifier = match[1]!
    const file = specifier.startsWith('.') ? path.join(path.dirname(source.path), specifier) : undefined
    return { at, specifier, file }
  })
}
