import { componentOf, type OpenApiDocument, type OpenApiSchema, resolveReference } from './open-api.ts'

/** A field that is described in the reference. */
export type ShownField = {
  name: string
  isRequired: boolean
  /** JSON type of the value, such as `string or null`. */
  kind: string
  /** The constraints, with one phrase for each. */
  bounds: string[]
  values: string[]
  /** Description in Markdown. */
  description: string
  example: string | undefined
  inner: ShownGroup[]
}

/** A group of fields of an object. `name` identifies the variant, if the object has several. */
export type ShownGroup = { name: string; fields: ShownField[] }

/** Only a recursive shape has more levels. */
const maxDepth = 10

/** Longer patterns are not useful to people. */
const maxPatternCharacters = 60 // length of a pattern shown in the reference

/** Returns the fields of an object, or those of each of its variants. */
export function groupsOf(document: OpenApiDocument, schema: OpenApiSchema, depth = 0): ShownGroup[] {
  if (depth >= maxDepth) return []
  const shape = resolveReference<OpenApiSchema>(document, schema)
  const choices = nonNullVariants(document, shape)
  if (choices.length > 1)
    return choices.flatMap((choice) =>
      groupsOf(document, choice, depth + 1).map(({ fields }) => ({
        name: variantName(document, choice),
        fields,
      })),
    )
  const [only = shape] = choices
  if (only !== shape) return groupsOf(document, only, depth)
  if (shape.items) return groupsOf(document, shape.items, depth + 1)
  const own = shape.allOf?.flatMap((part) => groupsOf(document, part, depth)) ?? []
  const fields = [
    ...own.flatMap((group) => group.fields),
    ...Object.entries(shape.properties ?? {})
      .filter(([, field]) => !isNullOnly(field))
      .map(([name, field]) => fieldOf(document, name, field, shape.required?.includes(name) ?? false, depth)),
  ]
  return fields.length > 0 ? [{ name: '', fields }] : []
}

/** Returns whether a field allows only `null`. Such a field belongs to another variant. */
const isNullOnly = ({ type }: OpenApiSchema) => [type].flat().every((each) => each === 'null')

export function fieldOf(
  document: OpenApiDocument,
  name: string,
  schema: OpenApiSchema,
  isRequired: boolean,
  depth = 0,
): ShownField {
  const shape = unwrapSchema(document, schema)
  const example = schema.examples?.[0] ?? schema.example ?? shape.examples?.[0] ?? shape.example
  return {
    name,
    isRequired,
    kind: kindOf(document, schema),
    bounds: boundsOf(shape),
    values: (shape.enum ?? []).filter((value) => value !== null).map((value) => String(value)),
    description:
      schema.description ??
      resolveReference<OpenApiSchema>(document, schema).description ??
      shape.description ??
      '',
    // Ids get no example, because their type already shows what they look like.
    example:
      example === undefined || typeof example === 'object' || idOf(shape) ? undefined : String(example),
    inner: groupsOf(document, schema, depth + 1),
  }
}

/** Returns the variants of a shape, except null. */
const nonNullVariants = (document: OpenApiDocument, { oneOf, anyOf }: OpenApiSchema): OpenApiSchema[] =>
  (oneOf ?? anyOf ?? []).filter((choice) => resolveReference<OpenApiSchema>(document, choice).type !== 'null')

/** Resolves references and unwraps nullable shapes. */
function unwrapSchema(document: OpenApiDocument, schema: OpenApiSchema): OpenApiSchema {
  const shape = resolveReference<OpenApiSchema>(document, schema)
  const [only, ...more] = nonNullVariants(document, shape)
  return only && more.length === 0 ? unwrapSchema(document, only) : shape
}

/** Returns the name of a variant, such as `type: momo`, or the name of its component. */
function variantName(document: OpenApiDocument, choice: OpenApiSchema): string {
  const shape = resolveReference<OpenApiSchema>(document, choice)
  const [name, fixed] =
    Object.entries(shape.properties ?? {}).find(([, field]) => field.const !== undefined) ?? []
  return fixed ? `${name}: ${fixed.const}` : (componentOf(choice) ?? shape.title ?? 'variant')
}

function kindOf(document: OpenApiDocument, schema: OpenApiSchema): string {
  const shape = resolveReference<OpenApiSchema>(document, schema)
  const choices = nonNullVariants(document, shape)
  const isNullable =
    [shape.type].flat().includes('null') ||
    shape.enum?.includes(null) ||
    choices.length < (shape.oneOf ?? shape.anyOf ?? []).length
  const orNull = isNullable ? ' or null' : ''
  const [only, ...more] = choices
  if (only) return (more.length === 0 ? kindOf(document, only) : formsOf(document, choices)) + orNull
  const type = [shape.type].flat().find((each) => each !== undefined && each !== 'null')
  if (shape.const !== undefined) return `${typeof shape.const}, always ${shape.const}`
  if (type === 'array') return `array${shape.items ? ` of ${manyOf(document, shape.items)}` : ''}${orNull}`
  if (type === undefined)
    return (shape.enum ? typeof shape.enum.find((value) => value !== null) : 'any') + orNull
  const component = componentOf(schema)
  const id = idOf(shape)
  const detail = id ? `id, ${id}-…` : type === 'object' ? component : formats[shape.format ?? '']
  return `${type}${detail ? ` (${detail})` : ''}${orNull}`
}

/** Returns the prefix of an id, which identifies the kind of object. */
const idOf = ({ pattern = '' }: OpenApiSchema) => /^\^([a-z]+)-\[/.exec(pattern)?.[1]

const formats: Record<string, string> = {
  'date-time': 'RFC 3339 time in UTC',
  date: 'date',
  uri: 'URL',
  email: 'email address',
}

const formsOf = (document: OpenApiDocument, choices: OpenApiSchema[]) =>
  [...new Set(choices.map((choice) => kindOf(document, choice)))].join(' or ')

/** Returns the type of a list's entries in the plural: `strings (id, pyt-…)`. */
const manyOf = (document: OpenApiDocument, items: OpenApiSchema) =>
  kindOf(document, items).replace(/^(?:string|integer|number|boolean|object|array)\b/, '$&s')

function boundsOf(shape: OpenApiSchema): string[] {
  const { items } = shape
  return [
    between(shape.minLength || undefined, shape.maxLength, 'characters'),
    between(shape.minimum, shape.maximum, ''),
    between(shape.minItems, shape.maxItems, 'entries'),
    between(shape.minProperties, shape.maxProperties, 'keys'),
    shape.pattern &&
      !idOf(shape) &&
      shape.pattern.length <= maxPatternCharacters &&
      `pattern \`${shape.pattern}\``,
    shape.default !== undefined && `default \`${JSON.stringify(shape.default)}\``,
    // These constraints apply to each entry of a list of texts or numbers.
    ...(items && !items.properties && !items.$ref ? boundsOf(items).map((bound) => `each ${bound}`) : []),
  ].filter((bound) => typeof bound === 'string')
}

function between(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const shown = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, '\u202f')
  const of = unit && ` ${unit}`
  if (min !== undefined && min === max) return `exactly ${shown(min)}${of}`
  if (min !== undefined && max !== undefined) return `${shown(min)} to ${shown(max)}${of}`
  if (max !== undefined) return `at most ${shown(max)}${of}`
  return min === undefined ? undefined : `at least ${shown(min)}${of}`
}
