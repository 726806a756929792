import type { FastifyInstance } from 'fastify'
import { openApiOf } from './platform/http/openapi.ts'
import type { ApiRoute, Route } from './platform/http/route.ts'
import { openUnchanging } from './platform/http/unchanging.ts'

export const isApiRoute = (route: Route): route is ApiRoute => route.kind !== 'raw'

/** The machine-readable description at `/openapi.json`; for people it is at `/docs/reference/api`. */
export function addReference(server: FastifyInstance, routes: Route[], baseUrl: string): void {
  const document = JSON.stringify(openApiOf(routes, baseUrl))
  server.get('/openapi.json', openUnchanging(document, 'application/json; charset=utf-8'))
}
