import type { Route } from '../../src/platform/http/route.ts'
import { documentOf } from '../../src/reference.ts'

/**
 * `docs/reference/openapi.json`: the response of `GET /openapi.json`, formatted so that changes are easy to
 * review.
 */
export const writeOpenApi = (routes: Route[], baseUrl: string) =>
  `${JSON.stringify({ 'x-written-by': 'npm run write, from the route table', ...documentOf(routes, baseUrl) }, null, 2)}\n`
