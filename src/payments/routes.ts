import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { openCodes } from '../instructions/codes.ts'
import { judgeProvider } from '../instructions/moved-filters.ts'
import { movedFilters } from '../instructions/moved-shapes.ts'
import type { InstructionParts } from '../instructions/parts.ts'
import { accountInQuery } from '../ledger/accounts.ts'
import { accountIds } from '../ledger/resources.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  clearable,
  failureDetail,
  freeObject,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { cardSchemes, failureCodes } from '../providers/connector.ts'
import type { Fence } from '../providers/fence.ts'
import type { Guidance } from '../providers/guidance.ts'
import { providerTypes } from '../providers/provider.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { codePattern, takeCode } from './codes.ts'
import { selectPayments } from './list-store.ts'
import { changePayment, findPayment, judgeName, presentPayment } from './payments.ts'
import { paymentIds } from './resources.ts'
import { sharePayments } from './store.ts'

/** Of a card: known, like its other marks, when it has paid. */
const cardScheme = Type.Unsafe<(typeof cardSchemes)[number] | null>({
  type: ['string', 'null'],
  enum: [...cardSchemes, null],
})

const instructions = Type.Unsafe<Guidance | null>({
  type: ['object', 'null'],
  description:
    'What the provider wants the payer to do, in its own words: plain text, to be escaped; null if it says nothing.',
  properties: {
    texts: {
      type: 'object',
      description: 'By language, ISO 639: at most ten texts of 500 characters.',
      additionalProperties: { type: 'string' },
      examples: [{ en: 'Dial *144# and choose 4 to approve.' }],
    },
    dialString: { type: ['string', 'null'], description: 'What to dial.', examples: ['*144*4#'] },
    asksForCode: {
      type: 'boolean',
      enum: [true],
      description: 'The payer gets a code, which `submit-code` passes on to the provider; absent otherwise.',
    },
  },
  required: ['texts', 'dialString'],
  additionalProperties: false,
})

const payment = object(
  {
    id: idOf(paymentIds),
    status: Type.Enum(['pending', 'processing', 'completed', 'failed']),
    amount: shownMoney,
    channel: object({
      type: Type.Enum(providerTypes),
      provider: Type.String({ examples: ['m17'] }),
      reference: nullableText,
      phoneNumber: Type.Optional(Type.String({ examples: ['+23276****56'], description: 'momo: masked.' })),
      accountNumber: Type.Optional(Type.String({ examples: ['****3344'], description: 'bank: masked.' })),
      walletId: Type.Optional(Type.String({ examples: ['****4471'], description: 'wallet: masked.' })),
      scheme: Type.Optional(cardScheme),
      last4: Type.Optional(nullableText),
      fingerprint: nullableText,
      metadata: freeObject,
    }),
    name: Type.String(),
    reference: nullableText,
    orderNumber: Type.String({ examples: ['482915037264'] }),
    financialAccountId: idOf(accountIds),
    financialTransactionReference: nullableText,
    fees: Type.Array(object({ code: Type.String(), amount: shownMoney, metadata: freeObject })),
    refund: object({
      status: Type.Enum(['none', 'partial', 'full']),
      refunded: shownMoney,
      refundable: shownMoney,
    }),
    failureDetail: failureDetail(failureCodes),
    instructions,
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'Payment' },
)

export function paymentRoutes(parts: InstructionParts): Route[] {
  const { db, catalogue } = parts
  const passCode = openCodes(parts)
  /** Calls whose codes were counted, and until when those may leave: one that repeats a response passes nothing on. */
  const counted = new WeakMap<object, Fence>()
  const payments = resource({
    url: '/v1/payments',
    permission: 'payments',
    idKind: paymentIds,
    result: payment,
    find: sharePayments(db),
    present: (row, { scope }) => presentPayment(scope, row),
  })
  return [
    payments.list({
      summary: 'List payments',
      query: object({
        orderNumber: optional(text(0, 64)),
        financialAccountId: optional(referenceTo(accountIds)),
        financialTransactionReference: optional(text(0, 64)),
        ...movedFilters,
      }),
      list: async ({ scope, query }, page) => {
        const { financialAccountId, financialTransactionReference: ledgerReference, ...filter } = query
        judgeProvider(catalogue, filter)
        const accountId =
          financialAccountId && (await accountInQuery(db, scope, 'financialAccountId', financialAccountId))
        return selectPayments(db, scope, { ...filter, ledgerReference, accountId }, page)
      },
    }),
    payments.read({ summary: 'Retrieve a payment' }),
    payments.change({
      summary: 'Change a payment',
      body: object({
        name: clearable(
          nameText(0, 150, { description: 'At most 100 characters, or the name that the payment has.' }),
        ),
        metadata: clearable(metadata),
      }),
      example: { name: 'Invoice 7', metadata: { invoice: '7' } },
      rules: [
        { about: ['name'], says: 'A `name` has at most 100 characters, or is the one that the payment has.' },
      ],
      judge: async (db, { scope, id, body }, faults) => {
        const payment = await findPayment(db, scope, id)
        if (payment) judgeName(payment, body.name, faults)
      },
      write: (tx, { scope, id, body, now }) => changePayment(tx, scope, id, body, now),
    }),
    payments.action('submit-code', {
      summary: 'Pass a payer’s code on to the provider',
      reasons: ['state_conflict'],
      body: object({ code: Type.String({ pattern: codePattern }) }),
      example: { code: '482915' },
      isBodySecret: true,
      write: async (tx, call) => {
        const { payment, mayLeave } = await takeCode(tx, call.scope, call.id, call.now)
        counted.set(call, mayLeave)
        return payment
      },
      afterCommit: async (call) => {
        const mayLeave = counted.get(call)
        if (mayLeave) await passCode(call, call.body.code, mayLeave)
        counted.delete(call)
      },
    }),
  ]
}
