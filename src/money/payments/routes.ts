import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { accountInQuery } from '../../ledger/accounts/accounts.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import {
  clearable,
  createTime,
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
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { cardSchemes } from '../../rails/connections/connector.ts'
import type { Fence } from '../../rails/connections/fence.ts'
import type { Guidance } from '../../rails/connections/guidance.ts'
import { providerTypes } from '../../rails/connections/provider.ts'
import { openCodes } from '../../rails/instructions/codes.ts'
import type { InstructionParts } from '../../rails/instructions/parts.ts'
import { validateProviderFilter } from '../../rails/instructions/transaction-filters.ts'
import {
  shownFees,
  transactionFailure,
  transactionFilterShapes,
} from '../../rails/instructions/transaction-shapes.ts'
import { ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { codePattern, takeCode } from './codes.ts'
import { selectPayments } from './list-store.ts'
import { changePayment, presentPayment, validateName } from './payments.ts'
import { paymentIds } from './resources.ts'
import { selectPayment, sharePayments } from './store.ts'

/** Like the other card fields, null until the card has been charged. */
const cardScheme = Type.Unsafe<(typeof cardSchemes)[number] | null>({
  type: ['string', 'null'],
  enum: [...cardSchemes, null],
})

const instructions = Type.Unsafe<Guidance | null>({
  type: ['object', 'null'],
  description:
    'Instructions from the provider to the payer, as plain text that you must escape; null if there are none.',
  properties: {
    texts: {
      type: 'object',
      description: 'Texts by language (ISO 639 code): at most ten, each with at most 500 characters.',
      additionalProperties: { type: 'string' },
      examples: [{ en: 'Dial *144# and choose 4 to approve.' }],
    },
    dialString: { type: ['string', 'null'], description: 'String to dial.', examples: ['*144*4#'] },
    asksForCode: {
      type: 'boolean',
      enum: [true],
      description: 'True if the payer receives a code to submit through `submit-code`; absent otherwise.',
    },
  },
  required: ['texts', 'dialString'],
  additionalProperties: false,
})

const payment = object(
  {
    id: ownId(paymentIds),
    status: withMeanings(
      Type.Enum(['pending', 'processing', 'completed', 'failed']),
      'Status of the payment.',
      {
        pending: 'about to be sent to the provider',
        processing: 'sent to the provider; its outcome is not known yet and may take a while',
        completed: 'the money is in the account',
        failed: 'not paid',
      },
    ),
    amount: withDescription(
      shownMoney,
      'Amount that the payer pays. It is credited in full; fees are separate ledger lines.',
    ),
    channel: withDescription(
      object(
        {
          type: withMeanings(Type.Enum(providerTypes), 'Type of the payer’s account.', {
            momo: 'mobile money',
            bank: 'bank account',
            wallet: 'wallet',
            card: 'card',
          }),
          provider: withDescription(
            Type.String({ examples: ['m17'] }),
            'Id of the provider that holds the payer’s account.',
          ),
          reference: withDescription(nullableText, 'Provider’s transaction id; null if there is none yet.'),
          phoneNumber: Type.Optional(
            Type.String({ examples: ['+23276****56'], description: 'Masked phone number, for `momo`.' }),
          ),
          accountNumber: Type.Optional(
            Type.String({ examples: ['****3344'], description: 'Masked account number, for `bank`.' }),
          ),
          walletId: Type.Optional(
            Type.String({ examples: ['****4471'], description: 'Masked wallet id, for `wallet`.' }),
          ),
          scheme: withDescription(
            Type.Optional(cardScheme),
            'Card network, for `card`: `visa`, `mastercard` or `verve`; null until the card has paid.',
          ),
          last4: withDescription(
            Type.Optional(nullableText),
            'Last four digits, for `card`; null until the card has paid.',
          ),
          fingerprint: withDescription(
            nullableText,
            'Identifies the payer within your Space without revealing the account; null if the payer is unknown.',
          ),
          metadata: withDescription(freeObject, 'Additional details; usually empty.'),
        },
        { shows: { phoneNumber: '+23276****56' } },
      ),
      'Payment method.',
    ),
    name: withDescription(Type.String(), 'Name of the purchase, as shown to the payer.', 'Order 42'),
    reference: withDescription(
      nullableText,
      'Your own reference from the session or payment code; null if it has none.',
    ),
    orderNumber: withDescription(
      Type.String({ examples: ['482915037264'] }),
      'Twelve-digit order number, shared by all attempts to pay the order.',
    ),
    financialAccountId: withDescription(idOf(accountIds), 'Account to credit.'),
    financialTransactionReference: withDescription(
      nullableText,
      'Reference of the payment’s ledger lines; null until it is completed.',
    ),
    fees: shownFees('Fees charged to you; empty until the payment is completed.'),
    refund: withDescription(
      object({
        status: withMeanings(Type.Enum(['none', 'partial', 'full']), 'Refund status.', {
          none: 'not refunded',
          partial: 'partially refunded',
          full: 'fully refunded',
        }),
        refunded: withDescription(shownMoney, 'Amount refunded to the payer.'),
        refundable: withDescription(shownMoney, 'Amount that can still be refunded.'),
      }),
      'Refunds of the payment.',
    ),
    failureDetail: transactionFailure,
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
  /**
   * Responses to requests whose code was counted, with the deadline for passing the code on. When a response is
   * replayed, the code is not passed on again.
   */
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
        orderNumber: withDescription(optional(text(0, 64)), 'Only payments for this order.', '482915037264'),
        financialAccountId: withDescription(
          optional(referenceTo(accountIds)),
          'Only payments to this account.',
        ),
        financialTransactionReference: withDescription(
          optional(text(0, 64)),
          'Only the payment with this ledger reference.',
          '20261121-101500123-7k2m9x',
        ),
        text: optional(
          Type.String({
            minLength: 2,
            maxLength: 100, // limit: length of the `text` filter
            description:
              'Only payments whose name or reference contains this text, ignoring case and accents.',
            examples: ['Kamara'],
          }),
        ),
        ...transactionFilterShapes,
      }),
      list: async ({ scope, query }, page) => {
        const { financialAccountId, financialTransactionReference: ledgerReference, ...filter } = query
        validateProviderFilter(catalogue, filter)
        const accountId =
          financialAccountId && (await accountInQuery(db, scope, 'financialAccountId', financialAccountId))
        return selectPayments(db, scope, { ...filter, ledgerReference, accountId }, page)
      },
    }),
    payments.read({ summary: 'Retrieve a payment' }),
    payments.change({
      summary: 'Update a payment',
      body: object({
        name: clearable(
          nameText(0, 150, {
            description: 'New name, of at most 100 characters. The current name is accepted at any length.',
          }),
        ),
        metadata: clearable(metadata),
      }),
      example: { name: 'Invoice 7', metadata: { invoice: '7' } },
      rules: [{ about: ['name'], says: 'A new `name` must be at most 100 characters.' }],
      validate: async (db, { scope, id, body }, issues) => {
        const payment = await selectPayment(db, scope, id)
        if (payment) validateName(payment, body.name, issues)
      },
      write: (tx, { scope, id, body, now }) => changePayment(tx, scope, id, body, now),
    }),
    payments.action('submit-code', {
      summary: 'Submit the payer’s code to the provider',
      reasons: ['state_conflict'],
      body: object({
        code: withDescription(
          Type.String({ pattern: codePattern }),
          'Code that the provider sent to the payer: 4 to 12 digits.',
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
