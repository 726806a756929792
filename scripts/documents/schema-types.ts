/** A JSON Schema as far as it becomes a type. */
export type Shape = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  maximum?: number
  items?: Shape
  oneOf?: Shape[]
  anyOf?: Shape[]
}

/** The TypeScript type of a shape. `isOpen`: it is read, and later versions may know more values of its enumerations. */
export function typeOf(shape: Shape, isOpen = false): string {
  if (shape.$ref) return shape.$ref.split('/').at(-1) ?? 'unknown'
  if ('const' in shape) return JSON.stringify(shape.const)
  if (shape.enum) return enumType(shape.enum, isOpen)
  const choices = shape.oneOf ?? shape.anyOf
  if (choices) return `(${[...new Set(choices.map((choice) => typeOf(choice, isOpen)))].join(' | ')})`
  if (Array.isArray(shape.type))
    return shape.type.map((type) => typeOf({ ...shape, type }, isOpen)).join(' | ')
  return plainType(shape, isOpen)
}

function enumType(values: unknown[], isOpen: boolean): string {
  const types = values.map((value) => JSON.stringify(value))
  if (isOpen && values.some((value) => typeof value === 'string')) types.push('(string & {})')
  return types.join(' | ')
}

function plainType(shape: Shape, isOpen: boolean): string {
  switch (shape.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return shape.type
    case 'array':
      return `(${typeOf(shape.items ?? {}, isOpen)})[]`
    case 'object':
      return objectType(shape, isOpen)
    default:
      return 'unknown'
  }
}

function objectType({ properties, required = [], additionalProperties }: Shape, isOpen: boolean): string {
  const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties, isOpen) : 'unknown'
  if (!properties) return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${rest}>`
  const members = Object.entries(properties).map(([name, shape]) => {
    const type = isSum(name, properties) ? 'number | bigint' : typeOf(shape, isOpen)
    return `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${type}`
  })
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}

/** The value of an amount of money without a limit: it may be more than a double holds. */
const isSum = (name: string, { currency, value }: Record<string, Shape>) =>
  name === 'value' && currency !== undefined && value?.type === 'integer' && value.maximum === undefined

export const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
