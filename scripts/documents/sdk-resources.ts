import { ofSessions, sdkMethodOf } from '../../src/docs/reference/sdk-methods.ts'
import { openApiOf } from '../../src/platform/http/openapi.ts'
import { needs } from '../../src/platform/http/openapi-operations.ts'
import type { ApiRoute, Route } from '../../src/platform/http/route.ts'
import { isApiRoute } from '../../src/reference.ts'
import { keyOf, type Shape, typeOf } from './schema-types.ts'

type Method = {
  /** `['installation', 'spaces']` */
  resource: string[]
  name: string
  /** As `sdk/src/client.ts` reads it. */
  entry: string
  declaration: string
}

/** The client's resources: a table that makes their methods, and the interfaces that declare them. */
export function writeSdkResources(routes: Route[]): string {
  const methods = methodsOf(routes)
  const resources = [...Map.groupBy(methods, ({ resource }) => resource.join('.'))]
  const used = new Set(methods.flatMap(({ declaration }) => declaration.match(/\b[A-Z]\w+/g) ?? []))
  // The document is ours, and has this member.
  const { schemas } = openApiOf(routes, '').components as { schemas: Record<string, unknown> }
  const types = Object.keys(schemas).filter((name) => used.has(name) && name !== 'Error')
  return [
    '// Written by `npm run write` from the routes: edit those instead.\n',
    "import type { Call, List } from '../call.ts'",
    "import type { CallOptions } from '../options.ts'",
    `import type { verifyWebhook } from '../webhooks.ts'`,
    `import type {\n${types.map((type) => `  ${type},`).join('\n')}\n} from './types.ts'\n`,
    ...resources.map(
      ([name, own]) =>
        `export interface ${interfaceOf(name.split('.'))} {\n${own.map(({ declaration }) => declaration).join('\n')}${name === 'webhooks' ? verify : ''}\n}\n`,
    ),
    `export interface Resources {\n${members(methods)}\n}\n`,
    '/** Method, address, and what goes with it: `b` a body, `q` a query; `l`: what comes is a list. */',
    `export const operations = ${tableOf(methods)}\n`,
  ].join('\n')
}

const verify = `
  /** Checks the signature of an event that was received, and returns the event. */
  verify: typeof verifyWebhook`

type Parameter = { $ref?: string; name: string; in: string; required: boolean; schema: Shape }
type Media = { content?: Record<string, { schema: Shape }> }
type Operation = { parameters?: Parameter[]; requestBody?: Media; responses: Record<string, Media> }

function methodsOf(routes: Route[]): Method[] {
  // The same.
  const paths = openApiOf(routes, '').paths as Record<string, Record<string, Operation>>
  return routes
    .filter(isApiRoute)
    .filter(({ kind, url }) => kind !== 'stream' && !ofSessions.includes(url.split('/')[2] ?? ''))
    .map((route) => {
      const path = route.url.replace(/:(\w+)/g, '{$1}')
      const operation = paths[path]?.[route.method.toLowerCase()]
      if (!operation) throw new Error(`the document lacks ${route.method} ${path}`)
      return methodOf(route, path, operation)
    })
}

function methodOf(
  route: ApiRoute,
  path: string,
  { parameters = [], requestBody, responses }: Operation,
): Method {
  const { resource, name } = sdkMethodOf({ method: route.method, path, isList: route.kind === 'list' })
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const own = route.kind === 'list' ? queries.filter(({ name }) => name !== 'after') : queries
  const taken = requestBody?.content?.['application/json']?.schema
  // Where nothing can be sent, nothing has to be.
  const body = taken && typeOf(taken) !== 'Record<string, never>' ? taken : undefined
  const json = responses['200']?.content?.['application/json']?.schema
  const result = json?.properties?.result ?? { type: 'null' }
  const needsQuery = own.some(({ required }) => required)
  const parts = [
    ...parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `${name}: string`),
    ...(body ? [`body${(body.required ?? []).length > 0 || body.$ref ? '' : '?'}: ${typeOf(body)}`] : []),
    ...(own.length > 0 ? [`query${needsQuery ? '' : '?'}: ${queryType(own)}`] : []),
    'options?: CallOptions',
  ]
  const type =
    route.kind === 'list' ? `List<${typeOf(result.items ?? {}, true)}>` : `Call<${typeOf(result, true)}>`
  const kinds = [body && 'b', own.length > 0 && 'q', route.kind === 'list' && 'l'].filter(Boolean).join('')
  return {
    resource,
    name,
    entry: `${route.method} ${path}${kinds && ` ${kinds}`}`,
    declaration:
      `  /** ${route.summary}. ${route.permission ? needs(route) : ''} */\n  ${name}(${parts.join(', ')}): ${type}`.replace(
        '.  */',
        '. */',
      ),
  }
}

const queryType = (parameters: Parameter[]) =>
  `{ ${parameters.map(({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')} }`

const interfaceOf = (resource: string[]) =>
  `${resource.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`).join('')}Resource`

function members(methods: Method[]): string {
  const groups = Map.groupBy(methods, ({ resource }) => resource[0] ?? '')
  return [...groups]
    .map(([name, own]) => {
      const inner = [...new Set(own.map(({ resource }) => resource[1]))]
      if (inner.every((each) => each === undefined)) return `  readonly ${name}: ${interfaceOf([name])}`
      const lines = inner.map((each) => `    readonly ${each}: ${interfaceOf([name, `${each}`])}`)
      return `  readonly ${name}: {\n${lines.join('\n')}\n  }`
    })
    .join('\n')
}

function tableOf(methods: Method[]): string {
  const table: Record<string, unknown> = {}
  for (const { resource, name, entry } of methods) {
    let place = table
    for (const each of resource) {
      place[each] ??= {}
      place = place[each] as Record<string, unknown>
    }
    if (name in place) throw new Error(`two methods are called ${resource.join('.')}.${name}`)
    place[name] = entry
  }
  return JSON.stringify(table, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
}
