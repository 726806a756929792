import { findIn, lineAt, type Source } from './sources.ts'

export const usesOfAny = (program: Source[]): string[] =>
  program
    .flatMap((source) => findIn(source, /(?::\s*|\bas )any(?=\s*(?:[,;)=|&[\]}>]|$))|<any>|\bany\[\]/gm))
    .map(({ at, match }) => `${at} ${match[0]}`)

/** What was left to do later, in comments too. */
export const leftovers = (sources: Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    // So written that this line is none itself.
    [...text.matchAll(/\b(?:T[O]DO|F[I]XME)\b/g)].map(
      (match) => `${path}:${lineAt(text, match.index)} ${match[0]}`,
    ),
  )

/** Files that are not nouns in kebab-case. */
export const badFileNames = (files: string[]): string[] =>
  files
    .filter(
      (file) =>
        !file.split('/').every((part) => /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z]+)*$/.test(part)) ||
        /\b(?:utils?|helpers?|common|managers?|service|misc)\b/.test(file),
    )
    .map((file) => `${file}:1`)
