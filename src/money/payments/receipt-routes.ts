import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import {
  createTime,
  freeObject,
  metadata,
  object,
  optional,
  pathName,
  text,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { shareReceipts } from './receipt-store.ts'
import {
  findReceipt,
  isOrderNumber,
  presentReceipt,
  receiptStatuses,
  redeemReceipt,
  validateRedemption,
} from './receipts.ts'

/** These limits equal the maximum number of line items in a session and their maximum quantity. */
const maxEntitlements = 16 // limit: entitlements in one redemption
const maxUnits = 100_000 // limit: units of one entitlement per redemption

const receipt = object(
  {
    status: withMeanings(Type.Enum(receiptStatuses), 'Redemption status.', {
      not_redeemed: 'no units redeemed',
      partially_redeemed: 'some units redeemed',
      fully_redeemed: 'all units redeemed',
    }),
    orderName: withDescription(Type.String(), 'Name of the order, as the payer sees it.', 'Concert'),
    orderNumber: withDescription(Type.String({ examples: ['482915037264'] }), 'Twelve-digit order number.'),
    orderAmount: withDescription(shownMoney, 'Amount paid.'),
    entitlements: withDescription(
      Type.Array(
        object({
          key: Type.String({ description: 'Reference of the line item, or its id.', examples: ['seat'] }),
          name: withDescription(Type.String(), 'Name of the line item.', 'Seat'),
          limit: Type.Integer({ description: 'Units paid for.' }),
          current: Type.Integer({ description: 'Units redeemed so far.' }),
          remaining: withDescription(Type.Integer(), 'Units that can still be redeemed.'),
          exhausted: withDescription(Type.Boolean(), 'True if no units remain.'),
        }),
      ),
      'Entitlements of the payer, one for each line item.',
    ),
    createTime,
    updateTime,
    metadata: withDescription(freeObject, 'Your metadata from the latest redemption.'),
  },
  { title: 'Receipt' },
)

const redemption = object({
  redeemAll: optional(
    Type.Boolean({ description: 'Set to true to redeem all remaining units.', default: false }),
  ),
  entitlements: withDescription(
    optional(
      Type.Array(
        object({
          key: withDescription(text(1, 100), 'Key of the entitlement: the line item’s reference, or its id.'),
          units: withDescription(
            optional(Type.Integer({ minimum: 1, maximum: maxUnits, default: 1 })),
            'Units to redeem.',
          ),
        }),
        { minItems: 1, maxItems: maxEntitlements },
      ),
    ),
    'Entitlements to redeem, each of which may be listed once.',
  ),
  metadata: withDescription(
    optional(metadata),
    'Replaces the receipt’s metadata. If omitted, the metadata stays unchanged.',
  ),
})

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
      summary: 'Redeem a receipt, fully or partially',
      permission: 'receipts:write',
      body: redemption,
      result: object({
        redeem: Type.Boolean({
          description: 'True if the units were redeemed; false if too few units remained.',
        }),
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
