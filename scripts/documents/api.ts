import type { TSchema } from 'typebox'
import { querySchema } from '../../src/platform/http/lists.ts'
import { ownReasons } from '../../src/platform/http/openapi-errors.ts'
import { needs } from '../../src/platform/http/openapi-operations.ts'
import type { ApiRoute, RawRoute, Route } from '../../src/platform/http/route.ts'
import { isApiRoute } from '../../src/reference.ts'
import { code, page, table, writtenByCode } from './markdown.ts'
import { describe, fieldsOf, type Shape } from './shape.ts'

/** `docs/reference/api.md`: all routes, from the route table and its validation schemas. */
export function writeApi(routes: Route[]): string {
  const api = routes.filter(isApiRoute)
  const groups = Map.groupBy(api, ({ url }) => url.split('/')[2]!)
  return page(
    writtenByCode('the route table'),
    '# API',
    introduction,
    ...[...groups].flatMap(([name, group]) => [`## ${name}`, ...group.flatMap(describeRoute)]),
    '## Objects',
    ...objectsOf(api).flatMap(([title, shape]) => [
      `### ${title}`,
      shapeTable(shape as TSchema, 'Description'),
    ]),
    '## Other addresses',
    'These are not part of the API: each has its own authentication and response format.',
    otherAddresses(routes.filter((route): route is RawRoute => !isApiRoute(route))),
  )
}

const introduction = `Every call needs \`Authorization: Bearer <token>\`. Calls that require a permission name their Space in \`Service-Space-Id\`. Every POST needs an \`Idempotency-Key\` of 1 to 64 printable characters, and is carried out once, however often it is sent. Bodies are JSON of at most 256 KiB; unknown fields are refused; \`null\` for an optional field is the same as omitting it.

Every success is \`{"success": true, "messages": [], "result": …}\`. A list adds \`"pagination": {"count", "next"}\`; \`next\` is the \`after\` of the next page, or null. See also [refusals](errors.md), [permissions](permissions.md) and the [OpenAPI document](openapi.json).`

function describeRoute(route: ApiRoute): (string | undefined)[] {
  const query = querySchema(route)
  return [
    `### ${code(`${route.method} ${route.url}`)}`,
    `${route.summary}. ${route.permission ? needs(route) : 'Any valid token, without a Space.'} Returns ${answerOf(route)}.`,
    hasFields(query) ? shapeTable(query, 'Query') : undefined,
    hasFields(route.body) ? shapeTable(route.body!, 'Body') : undefined,
    route.rules?.map(({ says }) => `- ${says}`).join('\n'),
    refusalsOf(route),
    route.example && `\`\`\`json\n${JSON.stringify(route.example, null, 2)}\n\`\`\``,
  ]
}

/** Lists the reasons specific to the route; others apply to every call. */
function refusalsOf(route: ApiRoute): string | undefined {
  const reasons = ownReasons(route)
  return reasons.length > 0 ? `Refused as ${reasons.map(code).join(', ')}.` : undefined
}

const hasFields = (schema: TSchema | undefined) => fieldsOf(schema).length > 0

function answerOf({ kind, result }: ApiRoute): string {
  const { title } = result as Shape
  if (title === undefined) return code('null')
  const link = `[${title}](#${title.toLowerCase()})`
  return kind === 'list' ? `a page of ${link}` : link
}

/** Schemas of results, by title. */
function objectsOf(api: ApiRoute[]): [string, Shape][] {
  const titled = new Map<string, Shape>()
  for (const { result } of api) {
    const shape = result as Shape
    if (shape.title) titled.set(shape.title, shape)
  }
  return [...titled].sort(([a], [b]) => (a < b ? -1 : 1))
}

function shapeTable(schema: TSchema, head: string): string {
  const isTaken = head !== 'Description'
  const rows = fieldsOf(schema).map(({ name, shape, isRequired }) => [
    code(name),
    ...(isTaken ? [isRequired ? 'yes' : ''] : []),
    describe(shape),
  ])
  return table(isTaken ? [head, 'Required', 'Value'] : ['Field', head], rows)
}

function otherAddresses(routes: RawRoute[]): string {
  // Excludes hashed page assets and console files, which change with every build.
  const shown = (url: string) =>
    url.replace(/\.[0-9a-f]{8}\./, '.<hash>.').replace(/(?<=^\/console\/assets\/).*/, '…')
  const rows = new Map(
    routes.map(({ method, url, summary }) => [`${[method].flat().join(', ')} ${shown(url)}`, summary]),
  )
  return table(
    ['Address', 'Purpose'],
    [...rows].map(([address, summary]) => [code(address), summary]),
  )
}
