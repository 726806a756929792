import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { command, type Route, read } from '../platform/http/route.ts'
import { freeObject, metadata, object, optional, text, timestamp } from '../platform/http/shapes.ts'
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
    status: Type.Enum(receiptStatuses),
    orderName: Type.String(),
    orderNumber: Type.String({ examples: ['482915037264'] }),
    orderAmount: shownMoney,
    entitlements: Type.Array(
      object({
        key: Type.String({ description: 'The reference of the line item, or its id.', examples: ['seat'] }),
        name: Type.String(),
        limit: Type.Integer({ description: 'Units that were paid for.' }),
        current: Type.Integer({ description: 'Units redeemed so far.' }),
        remaining: Type.Integer(),
        exhausted: Type.Boolean(),
      }),
    ),
    createTime: timestamp,
    updateTime: timestamp,
    metadata: freeObject,
  },
  { title: 'Receipt' },
)

const redemption = object({
  redeemAll: optional(Type.Boolean({ description: 'Redeem all that remains.', default: false })),
  entitlements: optional(
    Type.Array(
      object({
        key: text(1, 100),
        units: optional(Type.Integer({ minimum: 1, maximum: maxUnits, default: 1 })),
      }),
      { minItems: 1, maxItems: maxEntitlements },
    ),
  ),
  metadata: optional(metadata),
})

export function receiptRoutes({ db }: Platform): Route[] {
  const find = shareReceipts(db)
  return [
    read({
      url: '/v1/receipts/:orderNumber',
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
      summary: 'Redeem a receipt, in part or whole',
      permission: 'receipts:write',
      body: redemption,
      result: object({
        redeem: Type.Boolean({ description: 'Whether it was redeemed; false: not enough was left.' }),
        receipt,
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
