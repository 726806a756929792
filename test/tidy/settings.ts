import { findIn, lineAt, type Source } from './sources.ts'

type Definitions = Record<string, { name: string; example: string; parse(text: string | undefined): unknown }>

/** Returns settings that are never read, and settings whose example differs from their default. */
export function settingIssues(definitions: Definitions, program: Source[]): string[] {
  return Object.entries(definitions).flatMap(([key, { name, example, parse }]) => {
    const at = whereIs(`'${name}'`, program)
    const standard = parse(undefined)
    const hasDefault = standard !== undefined && !(Array.isArray(standard) && standard.length === 0)
    return [
      ...(isRead(key, program) ? [] : [`${at} ${name} is never read`]),
      ...(hasDefault && parse(example) !== standard
        ? [`${at} ${name} has the example ${example} but the default ${standard}`]
        : []),
    ]
  })
}

function whereIs(text: string, program: Source[]): string {
  const source = program.find((one) => one.text.includes(text))
  return source ? `${source.path}:${lineAt(source.text, source.text.indexOf(text))}` : text
}

function isRead(key: string, program: Source[]): boolean {
  const member = new RegExp(`\\b(?:settings|given)\\??\\.${key}\\b`)
  const destructured = new RegExp(
    `\\{[^{}]*\\b${key}\\b[^{}]*\\}\\s*(?:=\\s*[\\w.]*settings\\b|:\\s*\\w*Settings\\b)`,
  )
  return program.some(({ text }) => member.test(text) || destructured.test(text))
}

const mayRead = ['packages/server/src/cli/doctor/all-checks.ts'] // Looks for variables that no setting reads.

/** Returns each place that reads an environment variable without the settings. */
export const environmentReads = (program: Source[]): string[] =>
  program
    .filter(({ path }) => !mayRead.includes(path))
    .flatMap((source) => findIn(source, /(?<!read(?:Settings|DataDir)\()\bprocess\.env\b/g))
    .map(({ at }) => `${at} process.env`)
