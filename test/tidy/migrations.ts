import type { ownMigrations } from '../../packages/server/src/platform/db/migrate.ts'

type Migration = Pick<ReturnType<typeof ownMigrations>[number], 'text' | 'oldestRelease' | 'isTransaction'>

/** Returns the statements of a migration that break a rule of CONTRIBUTING.md, each with the rule. */
export function brokenRules({ text, oldestRelease, isTransaction }: Migration): string[] {
  const statements = statementsOf(text)
  const isContract = oldestRelease !== 0
  const mayBlock = /^-- may block: \S/m.test(text)
  const created = new Set(
    statements.flatMap((statement) => /^create (?:unlogged )?table (\S+)/.exec(statement)?.[1] ?? []),
  )
  const rules = [
    ...(isContract ? [] : removals),
    ...(mayBlock ? [] : blocks),
    ...(isTransaction ? (mayBlock ? [] : blocksInTransaction) : [isUnrepeatable]),
  ]
  return statements.flatMap((statement) => {
    const [, table] =
      /^(?:alter table|create (?:unique )?index (?:.*? )?on) (?:only )?(\w+)/.exec(statement) ?? []
    if (table !== undefined && created.has(table)) return []
    return rules.flatMap((rule) => rule(statement) ?? [])
  })
}

type Rule = (statement: string) => string | undefined

/** Returns a rule that is broken by statements that match. */
const not =
  (pattern: RegExp, reason: string): Rule =>
  (statement) =>
    pattern.test(statement) ? `${reason}: ${statement.slice(0, 80)}` : undefined

/** What the previous release needs must not disappear or change. */
const removals: Rule[] = [
  not(/^drop (?!index|trigger)|\bdrop column\b/, 'a removal needs a declared oldest release'),
  not(/\brename\b/, 'a rename needs a declared oldest release'),
  not(/\balter column \w+ (set data )?type\b/, 'another type needs a new column'),
  not(/\balter column \w+ (set not null|drop default)\b/, 'the previous release does not set this column'),
  (statement) =>
    addedColumns(statement).some((column) => /\bnot null\b/.test(column) && !/\bdefault\b/.test(column))
      ? `a column without a default must be nullable: ${statement.slice(0, 80)}`
      : undefined,
]

/** Nodes must not wait while a table is scanned or rewritten. */
const blocks: Rule[] = [
  (statement) =>
    addedColumns(statement).some((column) =>
      /\b(check|references|unique|primary key|generated|default (?!null|true|false|'|\d)\w+)\b/.test(column),
    )
      ? `this column scans or rewrites the table: ${statement.slice(0, 80)}`
      : undefined,
  not(/\badd (constraint \w+ )?(check|foreign key)(?!.*\bnot valid\b)/, 'a constraint is added as not valid'),
  not(/\badd (constraint \w+ )?(unique|primary key)(?!.*\busing index\b)/, 'a key is added using an index'),
  not(/^(lock|truncate|cluster|vacuum)\b/, 'this locks the table'),
]

const blocksInTransaction: Rule[] = [
  not(/^create (unique )?index\b/, 'an index is created concurrently, without a transaction'),
  not(/^(drop index|reindex)\b/, 'an index is dropped concurrently, without a transaction'),
  not(/\bvalidate constraint\b/, 'a constraint is validated without a transaction'),
]

const isUnrepeatable: Rule = (statement) =>
  /^(create (table|index) if not exists|create (unique )?index concurrently if not exists|drop index concurrently if exists|alter table \w+ validate constraint|create or replace (function|procedure)|call divide_by_month\(|select assume_values\() ?\w*/.test(
    statement,
  )
    ? undefined
    : `this statement cannot be repeated: ${statement.slice(0, 80)}`

const addedColumns = (statement: string): string[] =>
  /^alter table/.test(statement) ? statement.split(/,?\s*\badd column\b/).slice(1) : []

/** Returns the statements in lower case, without comments, and without the bodies of functions. */
const statementsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
