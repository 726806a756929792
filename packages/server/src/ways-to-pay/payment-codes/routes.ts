import { createCurrencyCache } from '../../ledger/accounts/currencies.ts'
import { createMainAccountCache } from '../../ledger/accounts/main-accounts.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Call, Route, Rule } from '../../platform/http/commands/route.ts'
import { object, optionalEnum, optionalText, searchQuery } from '../../platform/http/shapes/shapes.ts'
import { createCountryCache } from '../../tenants/spaces/countries.ts'
import { type CodeRequest, claimNumbersFor, createCodes, prepareCodes, validateCode } from './new-code.ts'
import { openNumberClaims } from './numbers.ts'
import {
  cancelCode,
  changeCode,
  type PaymentCodeParts,
  presentCode,
  readDialString,
} from './payment-codes.ts'
import { codeIds } from './resources.ts'
import { type NewPaymentCode, newPaymentCode, paymentCode, paymentCodeChange } from './shapes.ts'
import { statuses } from './states.ts'
import { modes, selectCode, selectCodes, shareCodes } from './store.ts'
import { findKnown, validateCodeTerms } from './terms.ts'

const codeRules: Rule[] = [
  {
    about: [
      'amount.currency',
      'recurrentPaymentTarget.expectedPaymentTotal.currency',
      'financialAccountId',
      'authorizedProviders[]',
    ],
    says: 'A code’s amount, target, account and providers must share one currency, which must be listed by `GET /v1/countries` and cannot be changed.',
  },
  {
    about: ['authorizedProviders[]', 'authorizedProviders', 'authorizedPhoneNumber'],
    says: 'Payers can be restricted by `authorizedProviders` (providers from `GET /v1/momos`, each listed once) or by `authorizedPhoneNumber` (a valid phone number), but not both.',
  },
  { about: ['recurrentPaymentTarget'], says: 'Only a recurrent code can have a `recurrentPaymentTarget`.' },
]

const requestOf = (call: Call<unknown, NewPaymentCode>): CodeRequest => ({
  scope: call.scope,
  body: call.body,
  at: call.now,
  claimant: call,
})

export function paymentCodeRoutes(parts: PaymentCodeParts): Route[] {
  const caches = {
    mains: createMainAccountCache(),
    currencies: createCurrencyCache(),
    countries: createCountryCache(),
  }
  const numbers = openNumberClaims(parts)
  const codes = resource({
    url: '/v1/payment-codes',
    permission: 'payment-codes',
    idKind: codeIds,
    result: paymentCode,
    find: shareCodes(parts.db),
    present: (row, { scope }) => presentCode(parts.settings, scope, row),
  })
  return [
    codes.createEach({
      summary: 'Create a payment code',
      body: newPaymentCode,
      example: { name: 'School fees', amount: { currency: 'SLE', value: 15000 }, duration: '2d' },
      rules: codeRules,
      validate: async (db, { scope, body, now: at }, issues) => {
        const request = { scope, body, at }
        validateCode(await findKnown(db, [request], caches), parts, request, issues)
      },
      prepareEach: (calls) => claimNumbersFor(parts, numbers, calls.map(requestOf)),
      writeEach: (tx, calls) => createCodes(tx, parts, numbers, calls.map(requestOf)),
      prepareNew: (calls) => prepareCodes(parts, numbers, caches, calls.map(requestOf)),
    }),
    codes.list({
      summary: 'List payment codes',
      query: object({
        ussd_code: optionalText(
          64,
          'Only the code with this dial string or these ten digits.',
          '*715*5773920187#',
        ),
        mode: optionalEnum(modes, 'Only codes with this mode.'),
        status: optionalEnum(statuses, 'Only codes with this status.'),
        q: searchQuery,
      }),
      list: async ({ scope, query }, page) => {
        const { ussd_code, ...filter } = query
        const number = ussd_code === undefined ? undefined : readDialString(parts.settings, ussd_code)
        if (ussd_code !== undefined && number === undefined) return []
        const named = query.q === undefined ? undefined : (readDialString(parts.settings, query.q) ?? query.q)
        return selectCodes(parts.db, scope, { ...filter, number, named }, page)
      },
    }),
    codes.read({ summary: 'Retrieve a payment code' }),
    codes.change({
      summary: 'Update a payment code',
      reasons: ['state_conflict'],
      body: paymentCodeChange,
      example: { enable: false },
      rules: codeRules,
      validate: async (db, { scope, id, body, now: at }, issues) => {
        const code = await selectCode(db, scope, id)
        const request = { scope, body, at }
        if (code) validateCodeTerms(await findKnown(db, [request], caches), parts, code, request, issues)
      },
      write: (tx, { scope, id, body, now }) => changeCode(tx, parts, scope, id, body, now),
    }),
    codes.remove({
      summary: 'Cancel a payment code',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => cancelCode(tx, parts.settings, scope, id, now),
    }),
  ]
}
