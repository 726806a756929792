import type { JsonSchema } from '@pesewa/values'

/** The parts of the OpenAPI document that are shown in the reference. */
export type OpenApiDocument = {
  info?: { description?: string }
  servers?: { url: string }[]
  tags?: { name: string; description?: string }[]
  /** Groups of tags, in the order of the reference. */
  'x-tagGroups'?: { name: string; tags: string[] }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks?: Record<string, Record<string, OpenApiOperation>>
  components?: {
    schemas?: Record<string, OpenApiSchema>
    parameters?: Record<string, OpenApiParameter>
    responses?: Record<string, OpenApiContent>
    examples?: Record<string, { value?: unknown }>
  }
}

export type OpenApiOperation = {
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: (OpenApiParameter | Reference)[]
  requestBody?: OpenApiContent | Reference
  responses?: Record<string, OpenApiContent | Reference>
  /** Refusal reasons that are specific to the call. */
  'x-reasons'?: string[]
}

type Reference = { $ref: string }

export type OpenApiParameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema?: OpenApiSchema
}

type OpenApiMedia = {
  schema?: OpenApiSchema
  example?: unknown
  examples?: Record<string, { value?: unknown } | Reference>
}
type OpenApiContent = { description?: string; content?: Record<string, OpenApiMedia> }

export type OpenApiSchema = JsonSchema<{ $ref?: string; example?: unknown }>

/** Resolves a reference within the document. Any other value is returned unchanged. */
export function resolveReference<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  // The value is not a reference, so it is a `T`.
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  let found: unknown = document
  for (const part of value.$ref.replace(/^#\//, '').split('/'))
    found = typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined
  if (typeof found !== 'object' || found === null) throw new Error(`the document lacks ${value.$ref}`)
  // We generated the document, so this part has the expected type.
  return found as T
}

/** Returns the parameters, JSON body and successful response of a call, without references. */
export const partsOf = (
  { parameters = [], requestBody, responses = {} }: OpenApiOperation,
  document: OpenApiDocument,
) => ({
  parameters: parameters.map((each) => resolveReference<OpenApiParameter>(document, each)),
  body: requestBody && resolveReference<OpenApiContent>(document, requestBody).content?.['application/json'],
  response: responses['200'] && resolveReference<OpenApiContent>(document, responses['200']),
})

/** Returns the first example of a body or response. */
export function exampleOf(document: OpenApiDocument, media: OpenApiMedia | undefined): unknown {
  if (!media) return undefined
  if (media.example !== undefined) return media.example
  const [first] = Object.values(media.examples ?? {})
  return first && resolveReference<{ value?: unknown }>(document, first).value
}

/** Returns the name of the component that is referenced, such as `Payout`. */
export const componentOf = ({ $ref }: OpenApiSchema) => /^#\/components\/schemas\/(.+)$/.exec($ref ?? '')?.[1]
