import { createMainAccountCache } from '../../ledger/accounts/main-accounts.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Call, Route, Rule } from '../../platform/http/commands/route.ts'
import { object, searchQuery } from '../../platform/http/shapes/shapes.ts'
import { linkIds } from '../checkout/resources.ts'
import { currenciesNamed } from '../checkout/session-request.ts'
import { openAddressClaims } from './addresses.ts'
import { claimAddressesFor, createLinks, type LinkRequest, prepareLinks } from './new-link.ts'
import { cancelLink, changeLink, type PaymentLinkParts, presentLink } from './payment-links.ts'
import {
  type NewPaymentLink,
  newPaymentLink,
  paymentLink,
  paymentLinkChange,
  statusFilter,
} from './shapes.ts'
import { selectLinks, shareLinks } from './store.ts'
import { mergeChange, toRequest, validateTerms } from './terms.ts'

const listed = ['bank', 'momo', 'wallet'].flatMap((type) => [
  `paymentOptions.${type}.enabledProviders[]`,
  `paymentOptions.${type}.disabledProviders[]`,
])

const linkRules: Rule[] = [
  {
    about: ['lineItems', 'openAmount', 'quantity'],
    says: 'A link must have either `lineItems`, optionally with a `quantity`, or an `openAmount`.',
  },
  {
    about: ['lineItems[].price.currency', 'openAmount.currency', 'financialAccountId'],
    says: 'A link’s prices or amount and its account must share one currency, which must be listed by `GET /v1/countries` and cannot be changed.',
  },
  { about: ['lineItems[].reference'], says: 'Each `reference` must be unique within the link.' },
  {
    about: ['openAmount.maximum', 'quantity.maximum'],
    says: 'A `maximum` must be at least as high as its `minimum` and allow at most 100000 units of each item.',
  },
  {
    about: ['paymentOptions', ...listed],
    says: '`paymentOptions` must list providers of the matching type (`GET /v1/banks`, `/v1/momos`, `/v1/wallets`) and leave at least one payment method available.',
  },
  {
    about: ['successText', 'successUrl'],
    says: 'A link can have at most one of `successText` and `successUrl`. In the live environment, `successUrl` must start with `https://`.',
  },
  { about: ['expireTime'], says: '`expireTime` must be in the future.' },
  {
    about: ['maxPayments'],
    says: '`maxPayments` must be at least the number of payments completed or in progress.',
  },
]

const requestOf = (call: Call<unknown, NewPaymentLink>): LinkRequest => ({
  scope: call.scope,
  body: call.body,
  at: call.now,
  claimant: call,
})

export function paymentLinkRoutes(parts: PaymentLinkParts): Route[] {
  const mainAccounts = createMainAccountCache()
  const addresses = openAddressClaims(parts)
  const find = shareLinks(parts.db)
  const links = resource({
    url: '/v1/payment-links',
    permission: 'payment-links',
    idKind: linkIds,
    result: paymentLink,
    find,
    present: (row, { scope }) => presentLink(parts, scope, row),
  })
  return [
    links.createEach({
      summary: 'Create a payment link',
      body: newPaymentLink,
      example: {
        name: 'Concert at the harbour',
        lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: 15000 } }],
        quantity: { maximum: 6 },
        payerReference: { label: 'Your name' },
        maxPayments: 200,
      },
      rules: linkRules,
      validate: async (db, { scope, body, now: at }, issues) => {
        const request = { scope, body, at }
        validateTerms(parts, request, await currenciesNamed(db, [request]), issues)
      },
      prepareEach: (calls) => claimAddressesFor(parts, addresses, calls.map(requestOf)),
      writeEach: (tx, calls) => createLinks(tx, parts, addresses, calls.map(requestOf)),
      prepareNew: (calls) => prepareLinks(parts, addresses, mainAccounts, calls.map(requestOf)),
    }),
    links.list({
      summary: 'List payment links',
      query: object({ status: statusFilter, q: searchQuery }),
      list: ({ scope, query }, page) => selectLinks(parts.db, scope, query, page),
    }),
    links.read({ summary: 'Retrieve a payment link' }),
    links.change({
      summary: 'Update a payment link',
      body: paymentLinkChange,
      example: { active: false },
      rules: linkRules,
      validate: async (db, { scope, id, body, now: at }, issues) => {
        const before = await find(scope, id)
        if (!before) return
        const request = { scope, body: mergeChange(toRequest(before), body), at, before }
        validateTerms(parts, request, await currenciesNamed(db, [request]), issues)
      },
      write: (tx, { scope, id, body, now }) => changeLink(tx, parts, scope, id, body, now),
    }),
    links.remove({
      summary: 'Cancel a payment link',
      write: (tx, { scope, id, now }) => cancelLink(tx, parts, scope, id, now),
    }),
  ]
}
