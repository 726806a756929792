import { command, type Route, read } from '../../platform/http/commands/route.ts'
import { flag, object, pathName, withDescription } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { shareReceipts } from './receipt-store.ts'
import { findReceipt, isOrderNumber, presentReceipt, redeemReceipt, validateRedemption } from './receipts.ts'
import { receipt, redemption } from './shapes.ts'

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
