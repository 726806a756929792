// Takes an order: creates a checkout session, verifies the webhook for the payment, and refunds part of the payment.
// TOKEN=… SPACE=spc-… BASE_URL=http://127.0.0.1:8080 PORT=3000 node order.ts
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { money, Pesewa, type Refund, type WebhookEvent } from 'pesewa'

const { TOKEN = '', SPACE = '', BASE_URL = '', PORT = '' } = process.env
const pesewa = new Pesewa({ token: TOKEN, space: SPACE, baseUrl: BASE_URL })

const port = Number(PORT)
const webhook = await pesewa.webhooks.create({
  name: 'Orders',
  url: `http://127.0.0.1:${port}/hook`,
  events: ['payment.completed', 'refund.completed'],
})
const secret = webhook.verificationMethod.secret ?? ''

async function received(event: WebhookEvent): Promise<Refund | undefined> {
  switch (event.type) {
    case 'payment.completed': {
      const { id, amount } = event.data
      console.log(JSON.stringify({ paid: amount.value }))
      await pesewa.refunds.create(
        { paymentId: id, amount: money('SLE', '1.00'), reason: 'requested_by_customer' },
        { idempotencyKey: id },
      )
      return undefined
    }
    case 'refund.completed':
      return event.data
    default:
      return undefined
  }
}

const server = createServer(async (request, response) => {
  try {
    const event = await pesewa.webhooks.verify(await buffer(request), request.headers, secret)
    response.writeHead(204).end()
    const refund = await received(event)
    if (!refund) return
    const payments = await pesewa.payments.list({ status: 'completed' }).all({ limit: 10 })
    console.log(JSON.stringify({ refunded: refund.amount.value, left: payments[0]?.refund.refundable.value }))
    server.close()
  } catch (error) {
    console.error(error)
    response.writeHead(400).end()
  }
}).listen(port, '127.0.0.1')

const session = await pesewa.checkoutSessions.create({
  name: 'Order 42',
  lineItems: [{ name: 'Country cloth', price: money('SLE', '3.00') }],
})
console.log(JSON.stringify({ payAt: session.redirectUrl }))
