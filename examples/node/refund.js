// node refund.js pay-…         gives all of a payment back
// node refund.js pay-… 5000    or a part, in minor units
// For people of the shop: no page of it does this. A second run of the same refund is the same refund.
import { call } from './api.js'

const [paymentId, minorUnits] = process.argv.slice(2)
const amount = minorUnits && { currency: 'SLE', value: Number(minorUnits) }
const refund = await call('POST', '/v1/refunds', `${paymentId}-${minorUnits ?? 'all'}`, {
  paymentId,
  reason: 'requested_by_customer',
  ...(amount && { amount }),
})
console.log(`${refund.id} is ${refund.status}`)
