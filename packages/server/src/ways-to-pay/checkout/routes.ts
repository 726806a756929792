import { createMainAccountCache } from '../../ledger/accounts/main-accounts.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Call, Route } from '../../platform/http/commands/route.ts'
import { object, optionalEnum, optionalReferenceTo, searchQuery } from '../../platform/http/shapes/shapes.ts'
import { readId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { createSessions, prepareSessions, type SessionRequest } from './new-session.ts'
import { linkIds, sessionIds } from './resources.ts'
import type { SessionLinks } from './session-links.ts'
import { currenciesNamed, validateSession } from './session-request.ts'
import { cancelSession, presentSession } from './sessions.ts'
import { type NewSession, newSession, session } from './shapes.ts'
import { statuses } from './states.ts'
import { selectSessions, shareSessions } from './store.ts'

const requestOf = ({ scope, body, idempotencyKey, now: at }: Call<unknown, NewSession>): SessionRequest => ({
  scope,
  body,
  idempotencyKey,
  at,
})

/** The dependencies of the API routes. `links` looks up payment links, which belong to a later slice. */
export type CheckoutRouteParts = Platform & Providers & { links: Pick<SessionLinks, 'hasLink'> }

export function checkoutRoutes(parts: CheckoutRouteParts): Route[] {
  const mainAccounts = createMainAccountCache()
  const sessions = resource({
    url: '/v1/checkout-sessions',
    permission: 'checkout-sessions',
    idKind: sessionIds,
    result: session,
    find: shareSessions(parts.db),
    present: (row, { scope }) => presentSession(parts, scope, row),
  })
  return [
    sessions.createEach({
      summary: 'Create a checkout session',
      body: newSession,
      example: {
        name: 'Order 42',
        successUrl: 'https://shop.example/thanks',
        cancelUrl: 'https://shop.example/basket',
        lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15000 }, quantity: 2 }],
      },
      rules: [
        {
          about: ['lineItems[].price.currency', 'lineItems'],
          says: 'All line items must share one currency, listed by `GET /v1/countries`, and total at most 9007199254740991.',
        },
        { about: ['lineItems[].reference'], says: 'Each `reference` must be unique within the session.' },
        {
          about: [
            'paymentOptions',
            ...['bank', 'momo', 'wallet'].flatMap((type) => [
              `paymentOptions.${type}.enabledProviders[]`,
              `paymentOptions.${type}.disabledProviders[]`,
            ]),
          ],
          says: '`paymentOptions` must list providers of the matching type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`) and leave at least one payment method.',
        },
        {
          about: ['financialAccountId'],
          says: '`financialAccountId` must name an account of the Space in the currency of the line items.',
        },
        {
          about: ['successUrl', 'cancelUrl'],
          says: 'In the live environment, URLs must start with `https://`.',
        },
      ],
      validate: async (db, { scope, body }, issues) => {
        validateSession(parts, scope, body, await currenciesNamed(db, [{ scope, body }]), issues)
      },
      writeEach: (tx, calls) => createSessions(tx, parts, calls.map(requestOf)),
      prepareNew: (calls) => prepareSessions(parts.db, parts, mainAccounts, calls.map(requestOf)),
    }),
    sessions.list({
      summary: 'List checkout sessions',
      query: object({
        status: optionalEnum(statuses, 'Only sessions with this status.'),
        paymentLinkId: optionalReferenceTo(linkIds, 'Only sessions opened from this payment link.'),
        q: searchQuery,
      }),
      list: async ({ scope, query: { paymentLinkId: shown, ...query } }, page) => {
        const paymentLinkId = shown && (await linkInQuery(parts, scope, shown))
        return selectSessions(parts.db, scope, { ...query, paymentLinkId }, page)
      },
    }),
    sessions.read({ summary: 'Retrieve a checkout session' }),
    sessions.remove({
      summary: 'Cancel a checkout session',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => cancelSession(tx, parts, scope, id, now),
    }),
  ]
}

async function linkInQuery({ db, links }: CheckoutRouteParts, scope: Scope, shown: string): Promise<string> {
  const id = readId(linkIds, shown)
  if (!id || !(await links.hasLink(db, scope, id)))
    throw argumentRefusal('paymentLinkId', 'does not name a payment link in this Space')
  return id
}
