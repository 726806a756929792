import { openApiOf } from '../../src/platform/http/openapi.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { keyOf, type Shape, typeOf } from './schema-types.ts'

type Parameter = { $ref?: string; name: string; in: string; required: boolean; schema: Shape }
type Media = { content?: Record<string, { schema: Shape }> }
type Operation = { parameters?: Parameter[]; requestBody?: Media; responses: Record<string, Media> }

/**
 * The calls of the API as types, from the very document that is published: the console compiles only where each call that
 * it makes is in there.
 */
export function writeApiTypes(routes: Route[]): string {
  const { paths, components } = openApiOf(routes, '')
  // The document is ours, and has these members.
  const operations = Object.entries(paths as Record<string, Record<string, Operation>>)
  const schemas = Object.entries((components as { schemas: Record<string, Shape> }).schemas)
  const lines = [
    '// Written by `npm run write` from the routes: edit those instead.',
    '',
    ...schemas
      .filter(([name]) => name !== 'Error')
      .map(([name, shape]) => `type ${name} = ${typeOf(shape)}\n`),
    '/** By method and address: what goes with each call, and the `result` that it returns. */',
    'export type Calls = {',
    ...operations.flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => `  '${method.toUpperCase()} ${path}': ${callType(operation)}`,
      ),
    ),
    '}',
  ]
  return `${lines.join('\n')}\n`
}

function callType({ parameters = [], requestBody, responses }: Operation): string {
  const json = responses['200']?.content?.['application/json']?.schema
  const result = json?.properties?.result ?? json ?? { type: 'string' }
  const isList = json?.properties?.pagination !== undefined
  const body = requestBody?.content?.['application/json']?.schema
  const members = [
    ['path', parametersType(parameters, 'path')],
    ['query', parametersType(parameters, 'query')],
    ['body', body && typeOf(body)],
    ['result', typeOf(result)],
    ['isList', isList ? 'true' : undefined],
    ['needsSpace', parameters.some(({ $ref }) => $ref?.endsWith('/SpaceId')) ? 'true' : undefined],
  ]
  return `{ ${members.flatMap(([name, type]) => (type ? [`${name}: ${type}`] : [])).join('; ')} }`
}

function parametersType(parameters: Parameter[], place: string): string | undefined {
  const some = parameters.filter((parameter) => parameter.in === place)
  if (some.length === 0) return undefined
  const members = some.map(
    ({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${members.join('; ')} }`
}
