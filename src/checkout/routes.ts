import { command, list, type Route, read, remove } from '../platform/http/route.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import { createSession, judgeSession } from './new-session.ts'
import { cancelSession, presentSession } from './sessions.ts'
import { newSession, session } from './shapes.ts'
import { selectSession, selectSessions } from './store.ts'

type Parts = Platform & { catalogue: Catalogue; connectors: Connectors }

export const checkoutRoutes = (parts: Parts): Route[] => [
  command({
    url: '/v1/checkout-sessions',
    summary: 'Create a checkout session',
    permission: 'checkout-sessions:write',
    body: newSession,
    result: session,
    example: {
      name: 'Order 42',
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/basket',
      lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15000 }, quantity: 2 }],
    },
    rules: [
      {
        about: ['lineItems[].price.currency', 'lineItems'],
        says: 'All line items are priced in one currency, one of those of `GET /v1/countries`, and sum to at most 9007199254740991.',
      },
      { about: ['lineItems[].reference'], says: 'A `reference` is given to one line item only.' },
      {
        about: [
          'paymentOptions',
          ...['bank', 'momo', 'wallet'].flatMap((type) => [
            `paymentOptions.${type}.enabledProviders[]`,
            `paymentOptions.${type}.disabledProviders[]`,
          ]),
        ],
        says: '`paymentOptions` names providers of each type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`), and leaves a way to pay.',
      },
      {
        about: ['financialAccountId'],
        says: '`financialAccountId` names an account of the Space in the currency of the line items.',
      },
      { about: ['successUrl', 'cancelUrl'], says: 'In live, the addresses begin with `https://`.' },
    ],
    judge: async (db, { scope, body }, faults) => {
      await judgeSession(db, parts, scope, body, faults)
    },
    write: async (tx, { scope, body, now }) =>
      presentSession(parts, scope, await createSession(tx, parts, scope, body, now)),
  }),
  list({
    url: '/v1/checkout-sessions',
    summary: 'List checkout sessions',
    permission: 'checkout-sessions:read',
    result: session,
    list: ({ scope }, page) => selectSessions(parts.db, scope, page),
    position: ({ id }) => id,
    present: (row, { scope }) => presentSession(parts, scope, row),
  }),
  read({
    url: '/v1/checkout-sessions/:id',
    summary: 'Retrieve a checkout session',
    permission: 'checkout-sessions:read',
    idKind: 'checkoutSession',
    result: session,
    read: async ({ scope, id }) => {
      const found = await selectSession(parts.db, scope, id)
      if (!found) throw new Refusal('not_found')
      return presentSession(parts, scope, found)
    },
  }),
  remove({
    url: '/v1/checkout-sessions/:id',
    summary: 'Cancel a checkout session',
    permission: 'checkout-sessions:write',
    idKind: 'checkoutSession',
    write: async (tx, { scope, id, now }) => {
      await cancelSession(tx, parts, scope, id, now)
    },
  }),
]
