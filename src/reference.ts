import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { chainHead } from './books/shapes.ts'
import { titleOf } from './events/types.ts'
import { webhookHeaders, webhooksOf } from './events/webhooks/reference.ts'
import { fieldsOf } from './platform/fields.ts'
import { openApiOf } from './platform/http/openapi.ts'
import type { ApiRoute, Route } from './platform/http/route.ts'
import { openUnchanging } from './platform/http/unchanging.ts'
import { must } from './platform/must.ts'
import { tags } from './slices.ts'

export const isApiRoute = (route: Route): route is ApiRoute => route.kind !== 'raw'

/** What the routes show, by its title. */
const shapesOf = (routes: Route[]) =>
  new Map(routes.flatMap(({ result }) => (result ? [[fieldsOf(result).title, result]] : [])))

/** The whole document: the routes, what their groups are about, and what is sent to webhooks. */
export function documentOf(routes: Route[], baseUrl: string) {
  const shapes = shapesOf(routes)
  const dataOf = (type: string) =>
    type === 'ledger.chained' ? chainHead : must(shapes.get(titleOf(type)), `shape of the data of ${type}`)
  return openApiOf(routes, baseUrl, {
    tags,
    webhooks: (shared) => webhooksOf(must(shapes.get('Event'), 'shape of an event'), dataOf, shared),
    parameters: webhookHeaders,
  })
}

/** The machine-readable description at `/openapi.json`, and for people at `/reference`. */
export async function addReference(server: FastifyInstance, routes: Route[], baseUrl: string): Promise<void> {
  const document = documentOf(routes, baseUrl)
  server.get('/openapi.json', openUnchanging(JSON.stringify(document), 'application/json; charset=utf-8'))
  // The library's own type of a document is narrower than OpenAPI 3.1.
  await server.register(swagger, { mode: 'static', specification: { document: document as never } })
  await server.register(swaggerUi, {
    routePrefix: '/reference',
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: true },
    theme: { title: 'Pesewa API reference', css: [{ filename: 'pesewa.css', content: style }] },
  })
}

// The library's own bar shows its maker's logo and an address field that leads nowhere useful.
const style = `
.swagger-ui .topbar { display: none }
.swagger-ui .info { margin: 32px 0 16px }
.swagger-ui .info .title, .swagger-ui .opblock-tag { color: #16181d }
`
