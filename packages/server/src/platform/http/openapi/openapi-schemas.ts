import type { JsonSchema } from '@pesewa/values'

type Shape = JsonSchema<{
  /**
   * Describes how a titled shape is used in one particular field. The shape's own description is part of the
   * shared schema.
   */
  here?: string
  /**
   * Replaces this shape in the OpenAPI document. Used for rules that a schema can express, but whose error
   * messages would be unclear if the schema validated requests.
   */
  document?: Shape
}>

/**
 * Keywords for internal use, which the document omits. They are used for examples, exports (`csv.ts`),
 * validation and masks (`personal.ts`).
 */
const ours = new Set(['shows', 'readable', 'emptyIsAbsent', 'personal', 'resourceType'])

/** Moves shapes with a title to the shared components and replaces them with references. */
export function refer(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => refer(entry, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title: named, here, ...others }: Shape = schema
  // A field can be called `title`, too. It is a shape then.
  const [title, rest] = typeof named === 'object' ? [undefined, { ...others, title: named }] : [named, others]
  const inner = Object.fromEntries(
    Object.entries(rest)
      .filter(([key]) => !ours.has(key))
      .map(([key, value]) => {
        if (key === 'examples' || key === 'enum') return [key, value]
        // The names of fields are not keywords: a field can be named `title`, too.
        return [key, key === 'properties' ? referFields(value, components) : refer(value, components)]
      }),
  )
  if (typeof title !== 'string') return inner
  components.set(title, inner)
  return { $ref: `#/components/schemas/${title}`, ...(here && { description: here }) }
}

// Safe: the `properties` of a schema are an object.
const referFields = (fields: unknown, components: Map<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields as object).map(([name, field]) => [name, refer(field, components)]),
  )

/**
 * Returns the schema of a body as clients may send it, in which optional fields accept `null`. In a PATCH,
 * `null` clears a field, so top-level fields accept it only if their shape does.
 */
export const withOptionalNulls = (schema: Shape, method: string): unknown =>
  withNulls(schema, method === 'PATCH')

function withNulls({ document, ...shape }: Shape, isPatch = false): Shape {
  const { title, description } = shape
  if (document)
    return withNulls({ ...document, ...(title && { title }), ...(description && { description }) })
  const { properties, items, oneOf, required = [] } = shape
  const taken = (name: string, field: Shape) =>
    isPatch || required.includes(name) ? withNulls(field) : orNull(withNulls(field))
  return {
    ...shape,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, taken(name, field)]),
      ),
    }),
    ...(items && { items: withNulls(items) }),
    ...(oneOf && { oneOf: oneOf.map((one) => withNulls(one)) }),
  }
}

function orNull(shape: Shape): Shape {
  const { here, ...bare } = shape
  const { type, enum: choices, description } = bare
  if (shape.title !== undefined)
    return { ...(here && { description: here }), anyOf: [bare, { type: 'null' }] }
  if (type === undefined && choices === undefined)
    return { ...(description && { description }), anyOf: [shape, { type: 'null' }] }
  return {
    ...shape,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(choices && !choices.includes(null) && { enum: [...choices, null] }),
  }
}
