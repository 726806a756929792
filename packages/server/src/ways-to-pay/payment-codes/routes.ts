import { resource } from '../../platform/http/commands/resource.ts'
import type { Route, Rule } from '../../platform/http/commands/route.ts'
import { object, optionalEnum, optionalText, searchQuery } from '../../platform/http/shapes/shapes.ts'
import { createCode, validateCode } from './new-code.ts'
import {
  cancelCode,
  changeCode,
  type PaymentCodeParts,
  presentCode,
  readDialString,
} from './payment-codes.ts'
import { codeIds } from './resources.ts'
import { newPaymentCode, paymentCode, paymentCodeChange } from './shapes.ts'
import { statuses } from './states.ts'
import { modes, selectCode, selectCodes, shareCodes } from './store.ts'
import { validateCodeTerms } from './terms.ts'

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

export function paymentCodeRoutes(parts: PaymentCodeParts): Route[] {
  const codes = resource({
    url: '/v1/payment-codes',
    permission: 'payment-codes',
    idKind: codeIds,
    result: paymentCode,
    find: shareCodes(parts.db),
    present: (row, { scope }) => presentCode(parts.settings, scope, row),
  })
  return [
    codes.create({
      summary: 'Create a payment code',
      body: newPaymentCode,
      example: { name: 'School fees', amount: { currency: 'SLE', value: 15000 }, duration: '2d' },
      rules: codeRules,
      validate: async (db, { scope, body, now }, issues) => {
        await validateCode(db, parts, scope, body, now, issues)
      },
      write: (tx, { scope, body, idempotencyKey, now: at }) =>
        createCode(tx, parts, scope, body, { idempotencyKey, at }),
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
      validate: async (db, { scope, id, body, now }, issues) => {
        const code = await selectCode(db, scope, id)
        if (code) await validateCodeTerms(db, parts, scope, code, body, now, issues)
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
