import type { Fence } from '@pesewa/connector-kit'
import Type from 'typebox'
import { accountInQuery } from '../../ledger/accounts/accounts.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import {
  clearable,
  flag,
  metadata,
  nameText,
  object,
  optional,
  optionalReferenceTo,
  optionalText,
  pathName,
  searchQuery,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { openCodes } from '../../rails/instructions/codes.ts'
import type { InstructionParts } from '../../rails/instructions/parts.ts'
import { countsRoute } from '../../rails/instructions/transaction-counts.ts'
import { validateProviderFilter } from '../../rails/instructions/transaction-filters.ts'
import { transactionStatuses } from '../../rails/instructions/transaction-rows.ts'
import {
  identifierDescription,
  transactionFilterShapes,
} from '../../rails/instructions/transaction-shapes.ts'
import { codePattern, takeCode } from './codes.ts'
import { countPayments, selectPayments } from './list-store.ts'
import { changePayment, presentPayment, validateName } from './payments.ts'
import { shareReceipts } from './receipt-store.ts'
import { findReceipt, isOrderNumber, presentReceipt, redeemReceipt, validateRedemption } from './receipts.ts'
import { paymentIds } from './resources.ts'
import { payment, receipt, redemption } from './shapes.ts'
import { selectPayment, sharePayments } from './store.ts'

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
        orderNumber: optionalText(64, 'Only payments for this order.', '482915037264'),
        financialAccountId: optionalReferenceTo(accountIds, 'Only payments to this account.'),
        financialTransactionReference: optionalText(
          64,
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
        q: withDescription(
          searchQuery,
          `${identifierDescription} If no payment has this identifier, text with a letter finds payments whose name or reference contains it.`,
        ),
      }),
      list: async ({ scope, query }, page) => {
        const { financialAccountId, financialTransactionReference: ledgerReference, ...filter } = query
        validateProviderFilter(catalogue, filter)
        const accountId =
          financialAccountId && (await accountInQuery(db, scope, 'financialAccountId', financialAccountId))
        return selectPayments(db, scope, { ...filter, ledgerReference, accountId }, page)
      },
    }),
    countsRoute(parts, {
      resource: 'payments',
      title: 'PaymentCounts',
      statuses: transactionStatuses,
      count: countPayments,
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
      summary: 'Submit the payer’s code',
      about: 'Passes the code that the payer received to the provider.',
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

export function receiptRoutes({ db }: Platform): Route[] {
  const find = shareReceipts(db)
  return [
    read({
      url: '/v1/receipts/:orderNumber',
      params: { orderNumber: pathName('Twelve-digit order number.', '482915037264') },
      summary: 'Retrieve the receipt of a paid order',
      permission: 'receipts:read',
      result: receipt,
      read: async ({ scope, params }) => {
        const { orderNumber = '' } = params
        const receipt = isOrderNumber(orderNumber) && (await find(scope, orderNumber))
        return receipt ? presentReceipt(receipt) : undefined
      },
    }),
    command({
      url: '/v1/receipts/:orderNumber/redeem',
      params: { orderNumber: pathName('Twelve-digit order number.', '482915037264') },
      summary: 'Redeem a receipt',
      about: 'Redeems all or some of its entitlements.',
      permission: 'receipts:write',
      body: redemption,
      result: object({
        redeem: flag('True if the units were redeemed; false if too few units remained.'),
        receipt: withDescription(receipt, 'The receipt after the redemption.'),
      }),
      example: { entitlements: [{ key: 'seat', units: 2 }], metadata: { gate: 'north' } },
      rules: [
        { about: ['redeemAll'], says: 'Exactly one of `redeemAll` and `entitlements` must be set.' },
        {
          about: ['entitlements[].key'],
          says: 'Each `key` must identify an entitlement of the receipt and appear only once.',
        },
      ],
      validate: async (db, { scope, params, body }, issues) => {
        const receipt = await findReceipt(db, scope, params.orderNumber ?? '')
        if (receipt) validateRedemption(receipt, body, issues)
      },
      write: async (tx, { scope, params, body, now }) => {
        const { redeem, receipt } = await redeemReceipt(tx, scope, params.orderNumber ?? '', body, now)
        return { redeem, receipt: presentReceipt(receipt) }
      },
    }),
  ]
}
