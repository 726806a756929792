import type { JsonSchema } from '@pesewa/values'
import { type Fields, fieldsOf, hasFields } from '@pesewa/values'
import type { Route } from '../commands/route.ts'

/** A shape from which an example is built. `shows`: optional fields to include in the example. */
type Shape = JsonSchema<{ shows?: object }>

/**
 * Request examples by the title of the object they create. They make the examples of responses match those of
 * requests.
 */
export type RequestExamples = Map<string, object>

export function sentExamples(routes: Route[]): RequestExamples {
  const sent: RequestExamples = new Map()
  for (const { kind, url, result, example } of routes) {
    const { title } = fieldsOf(result)
    const isMaking = kind === 'command' && !url.includes(':') && typeof title === 'string'
    if (isMaking && example && !sent.has(title)) sent.set(title, example)
  }
  return sent
}

/**
 * Builds an example of a shape. Values are taken from `given`, then from the example of the request that
 * creates the object, then from the examples in the shape. Optional fields that occur in none of these are left
 * out.
 */
export function exampleOf(shape: Shape, sent: RequestExamples, given?: unknown): unknown {
  const inner = (part: Shape, of: unknown) => exampleOf(part, sent, of)
  if (given === null && isNullable(shape)) return null
  if (shape.properties) return objectOf(shape, shape.properties, sent, given)
  const { items, examples, minItems = 1 } = shape
  if (Array.isArray(given) && items) return given.map((entry) => inner(items, entry))
  if (fits(shape, given)) return given
  if (examples) return examples[0]
  if ('const' in shape) return shape.const
  if (shape.default !== undefined) return shape.default
  if (isNullable(shape)) return null
  if (shape.enum) return shape.enum[0]
  const [choice, other] = (shape.anyOf ?? shape.oneOf ?? []).filter(({ type }) => type !== 'null')
  if (choice) return other && hasFields(given) ? given : inner(choice, given)
  if (items) return Array.from({ length: minItems }, () => inner(items, undefined))
  return plainValue(shape)
}

function objectOf(
  shape: Shape,
  properties: Record<string, Shape>,
  sent: RequestExamples,
  given: unknown,
): Fields | null {
  const own = shape.shows ?? shape.examples?.[0]
  if (isNullable(shape) && !hasFields(given) && !hasFields(own)) return null
  const names = Object.keys(properties)
  // For an object that only wraps a list, the given value may be the bare array.
  const listed = Array.isArray(given) && names.length === 1 ? { [String(names[0])]: given } : given
  const shown: Fields = { ...fieldsOf(own), ...fieldsOf(listed) }
  const known: Fields = { ...fieldsOf(own), ...fieldsOf(sent.get(String(shape.title))), ...fieldsOf(listed) }
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => shape.required?.includes(name) || shown[name] !== undefined)
      .map(([name, field]) => [name, exampleOf(field, sent, known[name])]),
  )
}

const typesOf = ({ type }: Shape) => [type].flat()
const isNullable = (shape: Shape): boolean =>
  typesOf(shape).includes('null') ||
  (shape.enum?.includes(null) ?? false) ||
  (shape.anyOf ?? shape.oneOf ?? []).some((one) => typesOf(one).includes('null'))

/** Returns whether the given value is valid for this field. */
function fits(shape: Shape, given: unknown): boolean {
  if (given === undefined) return false
  if (shape.enum) return shape.enum.includes(given)
  const type = typeof given
  return typesOf(shape).some(
    (one) => (one === type && !Array.isArray(given)) || (one === 'integer' && type === 'number'),
  )
}

/** Placeholder for a text without an example. A test fails if it is used. */
const plainText = 'text'
const plainTexts: Record<string, string> = { date: '2026-11-21', 'date-time': '2026-11-21T10:00:00.000Z' }

function plainValue({ type, format, minimum }: Shape): unknown {
  switch ([type].flat()[0]) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return minimum ?? 0
    case 'string':
      return plainTexts[format ?? ''] ?? plainText
    case 'null':
      return null
    default:
      return {}
  }
}
