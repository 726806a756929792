import { createHash } from 'node:crypto'

/** A statement with its values. Named by its text, so that PostgreSQL plans each text once per connection. */
export class Sql {
  readonly text: string
  readonly values: unknown[]

  constructor(text: string, values: unknown[]) {
    this.text = text
    this.values = values
  }

  get name(): string {
    return statementName(this.text)
  }
}

/**
 * sql`select … where id = ${id}`: values become parameters; a value that is itself `Sql` is spliced in, so that
 * a list query is put together from fixed pieces. Text never comes from outside.
 */
export function sql(pieces: TemplateStringsArray, ...values: unknown[]): Sql {
  let text = pieces[0]!
  const parameters: unknown[] = []
  values.forEach((value, i) => {
    if (value instanceof Sql) {
      const offset = parameters.length
      text += value.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`)
      parameters.push(...value.values)
    } else {
      parameters.push(value)
      text += `$${parameters.length}`
    }
    text += pieces[i + 1]
  })
  return new Sql(text, parameters)
}

export const nothing = new Sql('', [])

/** All of these conditions; none is `true`. */
export const allOf = (conditions: Sql[]): Sql =>
  conditions.reduce((before, condition) => sql`${before} and ${condition}`, sql`true`)

const names = new Map<string, string>()
const maxStatements = 2000 // limit: statements whose names a node remembers

function statementName(text: string): string {
  let name = names.get(text)
  if (!name) {
    if (names.size >= maxStatements) throw new Error('a statement is being built from unbounded text')
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}
