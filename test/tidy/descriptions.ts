/** A field, or a parameter, of the OpenAPI document. */
export type DescribedField = {
  at: string
  name: string
  description: string | undefined
  /** Of an enumeration. */
  values: string[] | undefined
}

type Part = {
  name?: string
  in?: string
  description?: string
  enum?: unknown[]
  properties?: Record<string, Part>
}

/** Every field and parameter of the document, wherever it stands. */
export function fieldsOf(document: unknown): DescribedField[] {
  const fields: DescribedField[] = []
  const field = (at: string, name: string, { description, enum: values }: Part) =>
    fields.push({ at, name, description, values: values?.filter((value) => typeof value === 'string') })
  const visit = (part: unknown, at: string): void => {
    if (Array.isArray(part)) for (const entry of part) visit(entry, at)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return
    const { in: place, name, description, properties } = part as Part
    if (place !== undefined && name !== undefined)
      // What a filter looks for is explained where it is shown.
      field(`${at}?${name}`, name, { ...(description !== undefined && { description }) })
    for (const [inner, shape] of Object.entries(properties ?? {})) field(`${at}.${inner}`, inner, shape)
    for (const [key, inner] of Object.entries(part)) {
      // Examples have fields of their own, which are no shapes.
      if (key === 'example' || key === 'examples') continue
      if (key === 'properties')
        for (const [inside, shape] of Object.entries(properties ?? {})) visit(shape, `${at}.${inside}`)
      else visit(inner, quiet.has(key) ? at : `${at} ${key}`.trim())
    }
  }
  visit(document, '')
  return fields
}

/** Steps on the way to a field that say nothing about where it is. */
const quiet = new Set(['schema', 'content', 'application/json', 'items', 'schemas', 'components', 'paths'])

/** More values than these are a list that stands elsewhere: events, permissions, networks. */
const fewValues = 8

/** The values of a short enumeration that its description does not name. */
export const unexplained = ({ values = [], description = '' }: DescribedField): string[] =>
  values.length > 1 && values.length <= fewValues
    ? values.filter((value) => !new RegExp(`(?<![\\w])${value}(?!\\w)`).test(description))
    : []
