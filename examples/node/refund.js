// node refund.js pay-…         refunds a payment in full
// node refund.js pay-… 5000    or in part, in minor units
// For staff only: no web page can trigger a refund. Repeating the same command does not refund twice.
import { call } from './api.js'

const [paymentId, minorUnits] = process.argv.slice(2)
const amount = minorUnits && { currency: 'SLE', value: Number(minorUnits) }
const refund = await call('POST', '/v1/refunds', `${paymentId}-${minorUnits ?? 'all'}`, {
  paymentId,
  reason: 'requested_by_customer',
  ...(amount && { amount }),
})
console.log(`${refund.id} is ${refund.status}`)
