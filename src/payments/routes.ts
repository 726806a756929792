import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { openCodes } from '../instructions/codes.ts'
import { judgeProvider } from '../instructions/moved-filters.ts'
import { movedFailure, movedFilters, shownFees } from '../instructions/moved-shapes.ts'
import type { InstructionParts } from '../instructions/parts.ts'
import { accountInQuery } from '../ledger/accounts.ts'
import { accountIds } from '../ledger/resources.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  clearable,
  createTime,
  described,
  explained,
  freeObject,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  shownMetadata,
  text,
  updateTime,
} from '../platform/http/shapes.ts'
import { cardSchemes } from '../providers/connector.ts'
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
    id: ownId(paymentIds),
    status: explained(Type.Enum(['pending', 'processing', 'completed', 'failed']), 'What has become of it.', {
      pending: 'it is about to go to the provider',
      processing: 'the provider has it; its outcome is not known yet, and may take long',
      completed: 'the money is in the account',
      failed: 'it was not paid',
    }),
    amount: described(shownMoney, 'What the payer pays. All of it is credited; fees are lines of their own.'),
    channel: described(
      object(
        {
          type: explained(Type.Enum(providerTypes), 'What kind of account pays.', {
            momo: 'a phone with mobile money',
            bank: 'a bank account',
            wallet: 'a wallet',
            card: 'a card',
          }),
          provider: described(
            Type.String({ examples: ['m17'] }),
            'The id of the provider that holds the payer’s account.',
          ),
          reference: described(nullableText, 'The provider’s own transaction; null before there is one.'),
          phoneNumber: Type.Optional(
            Type.String({ examples: ['+23276****56'], description: 'momo: masked.' }),
          ),
          accountNumber: Type.Optional(Type.String({ examples: ['****3344'], description: 'bank: masked.' })),
          walletId: Type.Optional(Type.String({ examples: ['****4471'], description: 'wallet: masked.' })),
          scheme: described(
            Type.Optional(cardScheme),
            'card: its network, `visa`, `mastercard` or `verve`; null before it has paid.',
          ),
          last4: described(
            Type.Optional(nullableText),
            'card: its last four digits; null before it has paid.',
          ),
          fingerprint: described(
            nullableText,
            'The same for the same payer in your Space, and nothing else can be read from it; null where it is not known.',
          ),
          metadata: described(freeObject, 'Whatever else is known of it; usually empty.'),
        },
        { shows: { phoneNumber: '+23276****56' } },
      ),
      'How it is paid.',
    ),
    name: described(Type.String(), 'What was paid for, as the payer read it.', 'Order 42'),
    reference: described(
      nullableText,
      'Your own word for it, from the session or code; null where there was none.',
    ),
    orderNumber: described(
      Type.String({ examples: ['482915037264'] }),
      'Twelve digits that all attempts to pay one order share.',
    ),
    financialAccountId: described(idOf(accountIds), 'The account that is credited.'),
    financialTransactionReference: described(
      nullableText,
      'Finds the lines of the ledger that it wrote; null before it is completed.',
    ),
    fees: shownFees('What it costs you; empty before it is completed.'),
    refund: described(
      object({
        status: explained(Type.Enum(['none', 'partial', 'full']), 'How much of it went back.', {
          none: 'nothing',
          partial: 'a part',
          full: 'all',
        }),
        refunded: described(shownMoney, 'What has reached the payer.'),
        refundable: described(shownMoney, 'What can still be given back.'),
      }),
      'What of it went back.',
    ),
    failureDetail: movedFailure,
    instructions,
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
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
        orderNumber: described(optional(text(0, 64)), 'Only attempts to pay this order.', '482915037264'),
        financialAccountId: described(optional(referenceTo(accountIds)), 'Only payments to this account.'),
        financialTransactionReference: described(
          optional(text(0, 64)),
          'Only the payment that wrote this posting of the ledger.',
          '20261121-101500123-7k2m9x',
        ),
        text: optional(
          Type.String({
            minLength: 2,
            maxLength: 100, // limit: what `text` looks for
            description:
              'Only payments whose name or reference has this in it; upper and lower case, and accents, make no difference.',
            examples: ['Kamara'],
          }),
        ),
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
      body: object({
        code: described(
          Type.String({ pattern: codePattern }),
          'What the payer got from the provider, digits and letters.',
        ),
      }),
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
