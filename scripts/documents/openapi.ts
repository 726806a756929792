import type { Route } from '../../src/platform/http/route.ts'
import { documentOf } from '../../src/reference.ts'

/** `docs/reference/openapi.json`: what `GET /openapi.json` answers, laid out so that a change shows in review. */
export const writeOpenApi = (routes: Route[], baseUrl: string) =>
  `${JSON.stringify({ 'x-written-by': 'npm run write, from the route table', ...documentOf(routes, baseUrl) }, null, 2)}\n`
