import type { OpenApiSchema } from '../../packages/docs/src/reference/open-api.ts'

/** Options for formatting a type. */
export type TypeStyle = {
  /**
   * Whether the type is for values that are read. It then also allows unknown enum values, because later
   * versions may add some.
   */
  isOpen?: boolean
  /** Puts each member on its own line with its description, with at least this indentation. */
  indent?: string
}

/** Returns the TypeScript type of a schema. */
export function typeOf(shape: OpenApiSchema, style: TypeStyle = {}): string {
  if (shape.$ref) return shape.$ref.split('/').at(-1) ?? 'unknown'
  if ('const' in shape) return JSON.stringify(shape.const)
  if (shape.enum) return enumType(shape.enum, style)
  const choices = shape.oneOf ?? shape.anyOf
  if (choices) return `(${[...new Set(choices.map((choice) => typeOf(choice, style)))].join(' | ')})`
  if (Array.isArray(shape.type))
    return shape.type.map((type) => typeOf({ ...shape, type }, style)).join(' | ')
  return plainType(shape, style)
}

function enumType(values: unknown[], { isOpen }: TypeStyle): string {
  const types = values.map((value) => JSON.stringify(value))
  if (isOpen && values.some((value) => typeof value === 'string')) types.push('(string & {})')
  return types.join(' | ')
}

function plainType(shape: OpenApiSchema, style: TypeStyle): string {
  switch (shape.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return shape.type
    case 'array':
      return `(${typeOf(shape.items ?? {}, style)})[]`
    case 'object':
      return objectType(shape, style)
    default:
      return 'unknown'
  }
}

function objectType(
  { properties, required = [], additionalProperties }: OpenApiSchema,
  style: TypeStyle,
): string {
  const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties, style) : 'unknown'
  if (!properties) return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${rest}>`
  const { indent } = style
  const inner = indent === undefined ? style : { ...style, indent: `${indent}  ` }
  const members = Object.entries(properties).map(([name, shape]) => {
    const type = isSum(name, properties) ? 'number | bigint' : typeOf(shape, inner)
    return { name, type, isRequired: required.includes(name), shape }
  })
  return membersType(members, style)
}

type TypeMember = { name: string; type: string; isRequired: boolean; shape: OpenApiSchema }

/** Formats an object type from formatted members. */
export function membersType(members: TypeMember[], { indent }: TypeStyle): string {
  if (members.length === 0) return 'Record<string, never>'
  const lines = members.map(({ name, type, isRequired }) => `${keyOf(name)}${isRequired ? '' : '?'}: ${type}`)
  if (indent === undefined) return `{ ${lines.join('; ')} }`
  const inner = `${indent}  `
  const documented = lines.map(
    (line, i) => `${commentOf(descriptionOf(members[i]?.shape ?? {}), inner)}${inner}${line}\n`,
  )
  return `{\n${documented.join('')}${indent}}`
}

/** Returns a value's description, or describes its format. */
function descriptionOf({ description, examples, oneOf, anyOf, format }: OpenApiSchema): string {
  const ofChoice = (oneOf ?? anyOf)?.find((choice) => choice.description)?.description
  if (description ?? ofChoice) return description ?? ofChoice ?? ''
  const [example] = examples ?? []
  if (typeof example === 'string' || typeof example === 'number') return `For example, \`${example}\`.`
  return format === 'date-time' ? 'RFC 3339 time, for example `2026-11-21T08:00:00Z`.' : ''
}

/** Formats a doc comment; empty for an empty text. */
export function commentOf(text: string, indent = ''): string {
  const lines = text.trim().replaceAll('*/', '*\u2060/').split('\n')
  if (lines[0] === '') return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Whether a schema is an amount without an upper limit, which may exceed double precision. */
const isSum = (name: string, { currency, value }: Record<string, OpenApiSchema>) =>
  name === 'value' && currency !== undefined && value?.type === 'integer' && value.maximum === undefined

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
