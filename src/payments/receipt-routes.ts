import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { command, type Route, read } from '../platform/http/route.ts'
import {
  createTime,
  described,
  explained,
  freeObject,
  metadata,
  object,
  optional,
  pathName,
  text,
  updateTime,
} from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import {
  findReceipt,
  isOrderNumber,
  judgeRedemption,
  presentReceipt,
  receiptStatuses,
  redeemReceipt,
  shareReceipts,
} from './receipts.ts'

/** A session has at most as many line items, in at most that quantity. */
const maxEntitlements = 16 // limit: entitlements of one redemption
const maxUnits = 100_000 // limit: units redeemed of one entitlement at once

const receipt = object(
  {
    status: explained(Type.Enum(receiptStatuses), 'How much of it was redeemed.', {
      not_redeemed: 'nothing',
      partially_redeemed: 'a part',
      fully_redeemed: 'all',
    }),
    orderName: described(Type.String(), 'What was paid for.', 'Concert'),
    orderNumber: described(Type.String({ examples: ['482915037264'] }), 'The twelve digits of the order.'),
    orderAmount: described(shownMoney, 'What was paid.'),
    entitlements: described(
      Type.Array(
        object({
          key: Type.String({ description: 'The reference of the line item, or its id.', examples: ['seat'] }),
          name: described(Type.String(), 'What the line is called.', 'Seat'),
          limit: Type.Integer({ description: 'Units that were paid for.' }),
          current: Type.Integer({ description: 'Units redeemed so far.' }),
          remaining: described(Type.Integer(), 'Units that can still be redeemed.'),
          exhausted: described(Type.Boolean(), 'Whether nothing remains.'),
        }),
      ),
      'What the payer may claim: one for each line that was sold.',
    ),
    createTime,
    updateTime,
    metadata: described(freeObject, 'Your own data of the redemption that was last.'),
  },
  { title: 'Receipt' },
)

const redemption = object({
  redeemAll: optional(Type.Boolean({ description: 'Redeem all that remains.', default: false })),
  entitlements: described(
    optional(
      Type.Array(
        object({
          key: described(text(1, 100), 'Which entitlement: the reference of its line, or the line’s id.'),
          units: described(
            optional(Type.Integer({ minimum: 1, maximum: maxUnits, default: 1 })),
            'How many units of it.',
          ),
        }),
        { minItems: 1, maxItems: maxEntitlements },
      ),
    ),
    'What is redeemed, each named once.',
  ),
  metadata: described(optional(metadata), 'Replaces what the receipt has; left out: that stays.'),
})

export function receiptRoutes({ db }: Platform): Route[] {
  const find = shareReceipts(db)
  return [
    read({
      url: '/v1/receipts/:orderNumber',
      params: { orderNumber: pathName('The twelve digits of the order.', '482915037264') },
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
      params: { orderNumber: pathName('The twelve digits of the order.', '482915037264') },
      summary: 'Redeem a receipt, in part or whole',
      permission: 'receipts:write',
      body: redemption,
      result: object({
        redeem: Type.Boolean({ description: 'Whether it was redeemed; false: not enough was left.' }),
        receipt: described(receipt, 'The receipt as it is now.'),
      }),
      example: { entitlements: [{ key: 'seat', units: 2 }], metadata: { gate: 'north' } },
      rules: [
        { about: ['redeemAll'], says: 'Either `redeemAll` is true or `entitlements` are named.' },
        {
          about: ['entitlements[].key'],
          says: 'Each `key` is one of the receipt’s and named once.',
        },
      ],
      judge: async (db, { scope, params, body }, faults) => {
        const receipt = await findReceipt(db, scope, params.orderNumber ?? '')
        if (receipt) judgeRedemption(receipt, body, faults)
      },
      write: async (tx, { scope, params, body, now }) => {
        const { redeem, receipt } = await redeemReceipt(tx, scope, params.orderNumber ?? '', body, now)
        return { redeem, receipt: presentReceipt(receipt) }
      },
    }),
  ]
}
