import Type from 'typebox'
import { change, command, list, type Route, type Rule, read, remove } from '../platform/http/route.ts'
import { object, optional, text } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { changeCode } from './changes.ts'
import { createCode, judgeCode } from './new-code.ts'
import { cancelCode, numberOf, presentCode } from './payment-codes.ts'
import { codeIds } from './resources.ts'
import type { PaymentCodeSettings } from './settings.ts'
import { newPaymentCode, paymentCode, paymentCodeChange } from './shapes.ts'
import { modes, selectCode, selectCodes, shareCodes, statuses } from './store.ts'
import { judgeTerms } from './terms.ts'

const codeRules: Rule[] = [
  {
    about: [
      'amount.currency',
      'recurrentPaymentTarget.expectedPaymentTotal.currency',
      'financialAccountId',
      'authorizedProviders[]',
    ],
    says: 'A code is in one currency, one of those of `GET /v1/countries`: its amount, its target, its account, and what its providers take. It never changes.',
  },
  {
    about: ['authorizedProviders[]', 'authorizedProviders', 'authorizedPhoneNumber'],
    says: 'Who may pay is said by `authorizedProviders`, each of `GET /v1/momos` and once, or by `authorizedPhoneNumber`, a number that there can be; not by both.',
  },
  { about: ['recurrentPaymentTarget'], says: 'Only a recurrent code has a `recurrentPaymentTarget`.' },
]

export const paymentCodeRoutes = (
  parts: Platform<PaymentCodeSettings> & { catalogue: Catalogue },
  find = shareCodes(parts.db),
): Route[] => [
  command({
    url: '/v1/payment-codes',
    summary: 'Create a payment code',
    permission: 'payment-codes:write',
    body: newPaymentCode,
    result: paymentCode,
    example: { name: 'School fees', amount: { currency: 'SLE', value: 15000 }, duration: '2d' },
    rules: codeRules,
    judge: async (db, { scope, body, now }, faults) => {
      await judgeCode(db, parts, scope, body, now, faults)
    },
    write: async (tx, { scope, body, now }) =>
      presentCode(parts, scope, await createCode(tx, parts, scope, body, now)),
  }),
  list({
    url: '/v1/payment-codes',
    summary: 'List payment codes',
    permission: 'payment-codes:read',
    query: object({
      ussd_code: optional(text(0, 64)),
      mode: optional(Type.Enum(modes)),
      status: optional(Type.Enum(statuses)),
    }),
    result: paymentCode,
    list: async ({ scope, query }, page) => {
      const { ussd_code, ...filter } = query
      if (ussd_code === undefined) return selectCodes(parts.db, scope, filter, page)
      const number = numberOf(parts, ussd_code)
      return number === undefined ? [] : selectCodes(parts.db, scope, { ...filter, number }, page)
    },
    position: ({ id }) => id,
    present: (row, { scope }) => presentCode(parts, scope, row),
  }),
  read({
    url: '/v1/payment-codes/:id',
    summary: 'Retrieve a payment code',
    permission: 'payment-codes:read',
    idKind: codeIds,
    result: paymentCode,
    read: async ({ scope, id }) => {
      const found = await find(scope, id)
      if (!found) throw new Refusal('not_found')
      return presentCode(parts, scope, found)
    },
  }),
  change({
    url: '/v1/payment-codes/:id',
    summary: 'Change a payment code',
    permission: 'payment-codes:write',
    idKind: codeIds,
    body: paymentCodeChange,
    result: paymentCode,
    example: { enable: false },
    rules: codeRules,
    judge: async (db, { scope, id, body, now }, faults) => {
      const code = await selectCode(db, scope, id)
      if (code) await judgeTerms(db, parts, scope, code, body, now, faults)
    },
    write: async (tx, { scope, id, body, now }) =>
      presentCode(parts, scope, await changeCode(tx, parts, scope, id, body, now)),
  }),
  remove({
    url: '/v1/payment-codes/:id',
    summary: 'Cancel a payment code',
    permission: 'payment-codes:write',
    idKind: codeIds,
    write: async (tx, { scope, id, now }) => {
      await cancelCode(tx, parts, scope, id, now)
    },
  }),
]
