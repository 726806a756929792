// npm run -s refund -- pay-…          refunds a payment in full
// npm run -s refund -- pay-… 50.00    or in part
// For staff only: no web page can trigger a refund. Repeating the same command does not refund twice.
import { decimal, money, Pesewa } from 'pesewa'

const { PESEWA_BASE_URL, PESEWA_TOKEN, PESEWA_SPACE } = process.env
const pesewa = new Pesewa({ baseUrl: PESEWA_BASE_URL, token: PESEWA_TOKEN, space: PESEWA_SPACE })

const [paymentId, amount] = process.argv.slice(2)
const refund = await pesewa.refunds.create(
  { paymentId, reason: 'requested_by_customer', ...(amount && { amount: money('SLE', amount) }) },
  { idempotencyKey: `${paymentId}-${amount ?? 'all'}` },
)
console.log(`${refund.id}: Le ${decimal(refund.amount)} is ${refund.status}`)
