import { createHash } from 'node:crypto'

/**
 * A statement with its values. The name of its prepared statement is derived from its text, so that PostgreSQL
 * prepares each text only once per connection.
 */
export class Sql<Row = unknown> {
  readonly text: string
  readonly values: unknown[]
  /**
   * The type of the statement's rows if table columns are spliced into it. It exists only for the type checker.
   * It is declared as a method parameter, which TypeScript checks less strictly, so that callers can declare
   * additional columns that the statement selects.
   */
  declare readonly row?: { of(row: Row): void }['of']

  constructor(text: string, values: unknown[]) {
    this.text = text
    this.values = values
  }

  /** Name of the prepared statement. If it is `undefined`, the statement is parsed on every execution. */
  get name(): string | undefined {
    return statementName(this.text)
  }
}

/**
 * Builds a statement: sql`select … where id = ${id}`. Values become parameters, and nested `Sql` is spliced
 * into the text, so that list queries are assembled from fixed pieces. The text never contains external input.
 */
export function sql<Values extends unknown[]>(
  [first = '', ...pieces]: TemplateStringsArray,
  ...values: Values
): Sql<Selected<Values>> {
  let text = first
  const parameters: unknown[] = []
  values.forEach((value, i) => {
    if (value instanceof Sql) {
      text += renumbered(value.text, parameters.length)
      parameters.push(...value.values)
    } else {
      parameters.push(value)
      text += `$${parameters.length}`
    }
    text += pieces[i]
  })
  return new Sql(text, parameters)
}

const renumbered = (text: string, offset: number) =>
  offset === 0 ? text : text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`)

/** The combined row type of all columns that are spliced into a statement. */
type Selected<Values extends unknown[]> = (
  Values[number] extends infer Value
    ? Value extends Sql<infer Row>
      ? (row: Row) => void
      : never
    : never
) extends (row: infer Row) => void
  ? Row
  : never

export const nothing = new Sql('', [])

/** Joins conditions with `and`. If there are none, returns the condition `true`. */
export const allOf = (conditions: Sql[]): Sql =>
  conditions.reduce((before, condition) => sql`${before} and ${condition}`, sql`true`)

const names = new Map<string, string>()
const maxStatements = 2000 // statements that are prepared on connections; further ones are parsed each time

/**
 * Returns the name of the statement with this text, or `undefined` once the maximum number of statements has
 * been prepared. Each combination of list filters creates a new text, and their number must not exhaust the
 * server's memory.
 */
function statementName(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < maxStatements) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}

const summaries = new Map<string, string>()
const firstChange =
  /\b(insert into|delete from|(?<!\b(?:for|for no key|on conflict \([^()]*\) do) )update) (?!set\b)([a-z_]+)/
// A name with "(" is a function, and one that a "with" introduces is no table.
const sources = /\b(?:from|join) (?:only |lateral )?([a-z_]+)\b(?! ?\()/g
const introduced = /\b([a-z_]+)(?: \([a-z_, ]*\))? as (?:not )?(?:materialized )?\(/g
const firstCall = /\bselect (?:\w+\.)?([a-z_]+) ?\(/

/**
 * Returns a short name for a statement in traces: what it does to its first table, such as `insert payments`, or the
 * function that it calls.
 */
export function statementSummary(text: string): string {
  let summary = summaries.get(text)
  if (summary === undefined) {
    const plain = text.replaceAll(/--.*$/gm, ' ').replaceAll(/\s+/g, ' ')
    const change = firstChange.exec(plain)
    if (change) summary = `${change[1]?.split(' ')[0]} ${change[2]}`
    else {
      const own = new Set(Array.from(plain.matchAll(introduced), ([, name]) => name))
      const tables = Array.from(plain.matchAll(sources), ([, name]) => name)
      const table = tables.find((name) => !own.has(name) && name !== 'lateral')
      summary = `select ${table ?? firstCall.exec(plain)?.[1] ?? ''}`.trim()
    }
    if (summaries.size < maxStatements) summaries.set(text, summary)
  }
  return summary
}
