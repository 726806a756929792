import type { TSchema } from 'typebox'
import { allResources } from '../../src/platform/resources.ts'
import { code } from './markdown.ts'

/** The subset of JSON Schema that our schemas use. */
export type Shape = {
  type?: string | string[]
  title?: string
  description?: string
  here?: string
  enum?: unknown[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  default?: unknown
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
  '~refine'?: { error(value: unknown): string }[]
}

export type Field = { name: string; shape: Shape; isRequired: boolean }

/** Lists all fields of an object, with nested ones as `price.value` and `lineItems[].name`. */
export function fieldsOf(schema: TSchema | undefined, prefix = ''): Field[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Shape
  return Object.entries(properties).flatMap(([name, shape]) => {
    const field = { name: prefix + name, shape, isRequired: required.includes(name) }
    const isList = shape.type === 'array'
    const inner = isList ? shape.items : shape
    return [field, ...fieldsOf(inner as TSchema, `${field.name}${isList ? '[]' : ''}.`)]
  })
}

/** Describes the values of a field and their limits. */
export function describe(shape: Shape): string {
  const { type, here } = shape
  const description = here ?? shape.description
  const takesNull = Array.isArray(type) && type.includes('null')
  const sentences = [
    kindOf(shape) + (takesNull ? ', or null' : ''),
    ...(shape.default === undefined ? [] : [`default ${code(String(shape.default))}`]),
    // The description explains a refinement.
    ...(description ? [] : (shape['~refine'] ?? [])).map(({ error }) => error(undefined)),
    ...(description ? [description.replace(/\.$/, '')] : []),
  ]
  return sentences.join('; ')
}

function kindOf(shape: Shape): string {
  if (shape.enum) return `one of ${shape.enum.map((value) => code(String(value))).join(', ')}`
  switch ([shape.type].flat().find((type) => type !== 'null')) {
    case 'string':
      return describeText(shape)
    case 'integer':
      return `whole number${between(shape.minimum, shape.maximum, '')}`
    case 'boolean':
      return '`true` or `false`'
    case 'array':
      return `list${between(shape.minItems, shape.maxItems, ' entries')}${shape.items?.properties ? '' : `; each ${describe(shape.items ?? {})}`}`
    default:
      return `object${between(undefined, shape.maxProperties, ' keys')}`
  }
}

function describeText(shape: Shape): string {
  const { pattern, format } = shape
  const id = allResources()
    .map(({ ids }) => ids.prefix)
    .find((prefix) => pattern?.startsWith(`^${prefix}-`))
  if (id) return `id, ${code(`${id}-…`)}`
  if (format === 'date-time') return 'time, RFC 3339 in UTC'
  const kind = format === 'uri' ? 'address' : 'text'
  const form = pattern ? ` of the form ${code(pattern)}` : ''
  return `${kind}${form}${between(shape.minLength || undefined, shape.maxLength, ' characters')}`
}

function between(min: number | undefined, max: number | undefined, unit: string): string {
  const shown = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ')
  if (min !== undefined && min === max) return `, exactly ${shown(min)}${unit}`
  if (min !== undefined && max !== undefined) return `, ${shown(min)} to ${shown(max)}${unit}`
  if (max !== undefined) return `, at most ${shown(max)}${unit}`
  return min === undefined ? '' : `, at least ${shown(min)}${unit}`
}
