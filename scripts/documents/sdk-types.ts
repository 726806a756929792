import type { OpenApiDocument, OpenApiSchema } from '../../packages/docs/src/reference/open-api.ts'
import { schemaTitle, subscribableTypes } from '../../packages/server/src/events/types.ts'
import type { Route } from '../../packages/server/src/platform/http/commands/route.ts'
import { refusalCatalogue } from '../../packages/server/src/platform/refusals.ts'
import { moduleOf } from './markdown.ts'
import { commentOf, typeOf } from './schema-types.ts'
import { documentOf } from './sdk-methods.ts'

/** Generates the client's types of API objects; enums of values that are only read allow unknown values. */
export function writeSdkTypes(routes: Route[]): string {
  const { paths, components } = documentOf(routes)
  const schemas = Object.entries(components?.schemas ?? {})
  const sent = sentIn(paths, Object.fromEntries(schemas))
  const names = new Set(schemas.map(([name]) => name))
  return moduleOf(
    'the routes',
    ...schemas
      .filter(([name]) => name !== 'Error')
      .map(([name, shape]) => {
        const type = typeOf(shape, { isOpen: !sent.has(name), indent: '' })
        return `${commentOf(shape.description ?? '')}export type ${name} = ${type}\n`
      }),
    `export type ErrorReason =\n${Object.keys(refusalCatalogue)
      .map((reason) => `  | '${reason}'`)
      .join('\n')}\n`,
    eventBase,
    `/** An event that a webhook receives. Its \`type\` determines the type of its \`data\`. Later versions may send more types. */\nexport type WebhookEvent =\n${subscribableTypes()
      .map((type) => {
        const title = schemaTitle(type)
        return `  | EventOf<'${type}', ${names.has(title) ? title : 'Record<string, unknown>'}>`
      })
      .join('\n')}\n`,
  )
}

const eventBase = `type EventOf<Type extends string, Data> = {
  id: string
  type: Type
  apiVersion: string
  environment: 'test' | 'live'
  spaceId: string
  timestamp: string
  /** Sequence number within the Space and environment. */
  sequence: number
  object: { id: string; type: string }
  /** The object when the event happened. */
  data: Data
  /** Only for events about checkout sessions that were created with a callback state. */
  callbackState?: string | null
}
`

/** Returns the names of the schemas used in requests, directly or nested. */
function sentIn(paths: OpenApiDocument['paths'], schemas: Record<string, OpenApiSchema>): Set<string> {
  const sent = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, entry] of Object.entries(value)) {
      const name = key === '$ref' ? nameIn(entry) : undefined
      if (name === undefined) visit(entry)
      else if (!sent.has(name)) {
        sent.add(name)
        visit(schemas[name])
      }
    }
  }
  for (const methods of Object.values(paths))
    for (const { parameters, requestBody } of Object.values(methods)) visit([parameters, requestBody])
  return sent
}

const nameIn = (reference: unknown): string | undefined =>
  /^#\/components\/schemas\/(\w+)$/.exec(String(reference))?.[1]
