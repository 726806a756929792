import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingOf, packNow } from './platform/http/compression.ts'
import { openApiOf } from './platform/http/openapi.ts'
import type { ApiRoute, Route } from './platform/http/route.ts'

export const isApiRoute = (route: Route): route is ApiRoute => route.kind !== 'raw'

/** The machine-readable description at `/openapi.json`, and for people at `/reference`. */
export async function addReference(server: FastifyInstance, routes: Route[], baseUrl: string): Promise<void> {
  const document = openApiOf(routes, baseUrl)
  server.get('/openapi.json', sendDocument(JSON.stringify(document)))
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

/** Packed when it is first asked for, and not sent again to whoever has it. */
function sendDocument(body: string) {
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const packed = new Map<Encoding, Promise<Buffer>>()
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
    if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    reply.type('application/json; charset=utf-8')
    const encoding = encodingOf(request.headers['accept-encoding'])
    if (!encoding) return reply.send(body)
    if (!packed.has(encoding)) packed.set(encoding, packNow[encoding](body))
    return reply.header('content-encoding', encoding).send(await packed.get(encoding))
  }
}

const hasTag = (ifNoneMatch: string | undefined, tag: string) =>
  ifNoneMatch?.split(',').some((each) => ['*', tag, tag.slice(2)].includes(each.trim())) ?? false

// The library's own bar shows its maker's logo and an address field that leads nowhere useful.
const style = `
.swagger-ui .topbar { display: none }
.swagger-ui .info { margin: 32px 0 16px }
.swagger-ui .info .title, .swagger-ui .opblock-tag { color: #16181d }
`
