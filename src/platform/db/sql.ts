import { createHash } from 'node:crypto'

/**
 * A statement with its values. Its name is derived from its text, so that PostgreSQL plans each text once per
 * connection.
 */
export class Sql<Row = unknown> {
  readonly text: string
  readonly values: unknown[]
  /**
   * The type of its rows, if table columns are spliced in; exists only for the type checker. As a method
   * parameter it lets callers declare additional columns that the statement selects.
   */
  declare readonly row?: { of(row: Row): void }['of']

  constructor(text: string, values: unknown[]) {
    this.text = text
    this.values = values
  }

  /** `undefined`: parsed on every execution. */
  get name(): string | undefined {
    return statementName(this.text)
  }
}

/**
 * sql`select … where id = ${id}`: values become parameters, and nested `Sql` is spliced in, so that list
 * queries are assembled from fixed pieces. The text never contains external input.
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

/** The combined row type of all columns spliced in. */
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

/** Joins conditions with `and`; `true` if there are none. */
export const allOf = (conditions: Sql[]): Sql =>
  conditions.reduce((before, condition) => sql`${before} and ${condition}`, sql`true`)

const names = new Map<string, string>()
const maxStatements = 2000 // statements that connections keep prepared; further ones are parsed each time

/**
 * Returns no name beyond the limit: combinations of list filters create new texts, which must not fill the
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
