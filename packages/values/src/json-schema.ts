/** A JSON Schema with the keywords that our shapes use. `Own` are further keywords for one purpose. */
export type JsonSchema<Own = unknown> = Own & {
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  properties?: Record<string, JsonSchema<Own>>
  required?: string[]
  items?: JsonSchema<Own>
  additionalProperties?: boolean | JsonSchema<Own>
  oneOf?: JsonSchema<Own>[]
  anyOf?: JsonSchema<Own>[]
  allOf?: JsonSchema<Own>[]
} & Partial<Record<Bound, number>>

type Bound =
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
