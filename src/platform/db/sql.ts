import { createHash } from 'node:crypto'

/** A statement with its values. Named by its text, so that PostgreSQL plans each text once per connection. */
export class Sql<Row = unknown> {
  readonly text: string
  readonly values: unknown[]
  /**
   * What its rows are, where the columns of a table are spliced in. For the types alone, it is never there. That it is the
   * parameter of a method lets a caller name more than these: what else the statement selects.
   */
  declare readonly row?: { of(row: Row): void }['of']

  constructor(text: string, values: unknown[]) {
    this.text = text
    this.values = values
  }

  /** `undefined`: it is parsed each time. */
  get name(): string | undefined {
    return statementName(this.text)
  }
}

/**
 * sql`select … where id = ${id}`: values become parameters; a value that is itself `Sql` is spliced in, so that
 * a list query is put together from fixed pieces. Text never comes from outside.
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

/** All rows whose columns are spliced in, as one. */
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

/** All of these conditions; none is `true`. */
export const allOf = (conditions: Sql[]): Sql =>
  conditions.reduce((before, condition) => sql`${before} and ${condition}`, sql`true`)

const names = new Map<string, string>()
const maxStatements = 2000 // limit: statements that connections keep prepared; those after them are parsed each time

/** None once there are so many: whoever combines filters of lists makes new ones, and must not fill servers with them. */
function statementName(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < maxStatements) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}
