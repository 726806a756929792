/** A field or parameter in the OpenAPI document. */
export type DescribedField = {
  at: string
  name: string
  description: string | undefined
  /** The values, if the field is an enumeration. */
  values: string[] | undefined
}

type Part = {
  name?: string
  in?: string
  description?: string
  enum?: unknown[]
  properties?: Record<string, Part>
}

/** Returns every field and parameter in the document, at any depth. */
export function fieldsOf(document: unknown): DescribedField[] {
  const fields: DescribedField[] = []
  const field = (at: string, name: string, { description, enum: values }: Part) =>
    fields.push({ at, name, description, values: values?.filter((value) => typeof value === 'string') })
  const visit = (part: unknown, at: string): void => {
    if (Array.isArray(part)) for (const entry of part) visit(entry, at)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return
    const { in: place, name, description, properties } = part as Part
    if (place !== undefined && name !== undefined)
      // The values of a filter are explained at the field that it searches.
      field(`${at}?${name}`, name, { ...(description !== undefined && { description }) })
    for (const [inner, shape] of Object.entries(properties ?? {})) field(`${at}.${inner}`, inner, shape)
    for (const [key, inner] of Object.entries(part)) {
      // Examples contain values, not schemas.
      if (key === 'example' || key === 'examples') continue
      if (key === 'properties')
        for (const [inside, shape] of Object.entries(properties ?? {})) visit(shape, `${at}.${inside}`)
      else visit(inner, quiet.has(key) ? at : `${at} ${key}`.trim())
    }
  }
  visit(document, '')
  return fields
}

/** Keys on the path to a field that do not help to locate it. */
const quiet = new Set(['schema', 'content', 'application/json', 'items', 'schemas', 'components', 'paths'])

/** Longer lists of values, such as events, permissions and networks, are explained elsewhere. */
const fewValues = 8

/** Returns the values of a short enumeration that its description does not mention. */
export const unexplained = ({ values = [], description = '' }: DescribedField): string[] =>
  values.length > 1 && values.length <= fewValues
    ? values.filter((value) => !new RegExp(`(?<![\\w])${value}(?!\\w)`).test(description))
    : []
