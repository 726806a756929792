import { type Call, groupCommand, list, type Route, read, remove } from '../platform/http/route.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import { currenciesNamed, judgeSession } from './new-session.ts'
import {
  createMainAccountCache,
  createSessions,
  createSoundSessions,
  type SessionRequest,
} from './new-sessions.ts'
import { sessionIds } from './resources.ts'
import { cancelSession, presentSession } from './sessions.ts'
import { type NewSession, newSession, session } from './shapes.ts'
import { selectSessions, shareSessions } from './store.ts'

type Parts = Platform & { catalogue: Catalogue; connectors: Connectors }

const requestOf = ({ scope, body, now }: Call<unknown, NewSession>): SessionRequest => ({
  scope,
  body,
  at: now,
})

export const checkoutRoutes = (
  parts: Parts,
  find = shareSessions(parts.db),
  mains = createMainAccountCache(),
): Route[] => [
  groupCommand({
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
      judgeSession(parts, scope, body, await currenciesNamed(db, [{ scope, body }]), faults)
    },
    writeEach: async (tx, calls) => {
      const outcomes = await createSessions(tx, parts, calls.map(requestOf))
      return outcomes.map((outcome) =>
        'answer' in outcome
          ? { answer: presentSession(parts, outcome.answer.scope, outcome.answer) }
          : outcome,
      )
    },
    writeNew: (calls, keyed, bounds) =>
      createSoundSessions(parts.db, parts, mains, calls.map(requestOf), keyed, bounds),
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
    idKind: sessionIds,
    result: session,
    read: async ({ scope, id }) => {
      const found = await find(scope, id)
      if (!found) throw new Refusal('not_found')
      return presentSession(parts, scope, found)
    },
  }),
  remove({
    url: '/v1/checkout-sessions/:id',
    summary: 'Cancel a checkout session',
    permission: 'checkout-sessions:write',
    idKind: sessionIds,
    write: async (tx, { scope, id, now }) => {
      await cancelSession(tx, parts, scope, id, now)
    },
  }),
]
