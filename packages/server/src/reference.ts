import { fieldsOf, must } from '@pesewa/values'
import type { FastifyInstance } from 'fastify'
import { schemaTitle } from './events/types.ts'
import { webhookHeaders, webhookSection } from './events/webhooks/reference.ts'
import { chainHead } from './finance/books/shapes.ts'
import type { ApiRoute, Route } from './platform/http/commands/route.ts'
import { openApiOf, type TagGroup } from './platform/http/openapi/openapi.ts'
import { type SendText, serveStaticText } from './platform/http/server/static-text.ts'
import { tags } from './slices.ts'

export const isApiRoute = (route: Route): route is ApiRoute => route.kind !== 'raw'

/** Returns the schemas of the routes' results, by title. */
const schemasByTitle = (routes: Route[]) =>
  new Map(routes.flatMap(({ result }) => (result ? [[fieldsOf(result).title, result]] : [])))

/** The resources in the order of the API reference: what most integrations use first, operators' calls last. */
const tagGroups: TagGroup[] = [
  {
    name: 'Core resources',
    tags: [
      'checkout-sessions',
      'payments',
      'refunds',
      'payouts',
      'payment-codes',
      'payment-links',
      'ussd-otps',
      'internal-transfers',
      'financial-accounts',
      'webhooks',
      'events',
      'changes',
    ],
  },
  {
    name: 'Money and books',
    tags: [
      'receipts',
      'payout-batches',
      'recalls',
      'cases',
      'financial-transactions',
      'settlements',
      'reconciliation',
      'reports',
      'month-end',
      'overview',
      'deliveries',
    ],
  },
  {
    name: 'Providers',
    tags: ['momos', 'banks', 'wallets', 'provider-kyc', 'phone-numbers', 'countries'],
  },
  {
    name: 'Space and team',
    tags: [
      'access-tokens',
      'me',
      'settings',
      'members',
      'invitations',
      'audit-entries',
      'requests',
      'search',
      'test-clock',
      'status',
    ],
  },
  {
    name: 'Personal data',
    tags: ['personal-data-exports', 'personal-data-erasures', 'legal-holds', 'retention-periods'],
  },
  {
    name: 'Signing in to the console',
    tags: ['sign-in', 'step-up', 'sign-out', 'sessions', 'sign-ins', 'passkeys', 'totp', 'recovery-codes'],
  },
  { name: 'For operators', tags: ['installation'] },
]

/** Builds the whole OpenAPI document: routes, tag descriptions and webhooks. */
export function documentOf(routes: Route[], baseUrl: string) {
  const shapes = schemasByTitle(routes)
  const dataOf = (type: string) =>
    type === 'ledger.chained'
      ? chainHead
      : must(shapes.get(schemaTitle(type)), `schema of the ${type} event data`)
  return openApiOf(routes, baseUrl, {
    tags,
    tagGroups,
    webhooks: (shared) => webhookSection(must(shapes.get('Event'), 'schema of an event'), dataOf, shared),
    parameters: webhookHeaders,
  })
}

/** Serves the OpenAPI document at `/openapi.json`; the readable reference is at `/docs/reference/api`. */
export function addReference(server: FastifyInstance, openApi: () => object): void {
  let send: SendText | undefined
  // Built on the first request, because building it takes longer than all other routes need to start.
  server.get('/openapi.json', (request, reply) => {
    send ??= serveStaticText(JSON.stringify(openApi()), 'application/json; charset=utf-8')
    return send(request, reply)
  })
}
