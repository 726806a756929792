// An Express shop: a price, a link to the payment page, and a webhook for payments. The README explains how to
// run it.
import { randomUUID } from 'node:crypto'
import express from 'express'
import { decimal, money, Pesewa } from 'pesewa'
import { expressWebhook } from 'pesewa/express'

const { PESEWA_BASE_URL, PESEWA_TOKEN, PESEWA_SPACE, PESEWA_WEBHOOK_SECRET, PORT = '3000' } = process.env
const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`
const pesewa = new Pesewa({ baseUrl: PESEWA_BASE_URL, token: PESEWA_TOKEN, space: PESEWA_SPACE })

const price = money('SLE', '150.00')
// Orders are kept in memory to keep this example short; a real shop stores them in its database.
const orders = new Map()

const app = express()

app.get('/', (_request, response) => {
  response.send(
    page(
      'Country cloth',
      `<p>Le ${decimal(price)}</p><form method="post" action="/pay"><button>Pay</button></form>`,
    ),
  )
})

app.post('/pay', async (_request, response) => {
  // The price comes from the shop, never from the form. The order is stored before anyone can pay it.
  const order = { id: randomUUID(), price, status: 'unpaid' }
  orders.set(order.id, order)
  const session = await pesewa.checkoutSessions.create(
    {
      name: 'Country cloth',
      reference: order.id,
      lineItems: [{ name: 'Country cloth', price: order.price }],
      successUrl: `${shopUrl}/orders/${order.id}`,
      cancelUrl: shopUrl,
    },
    { idempotencyKey: `order-${order.id}` },
  )
  order.number = session.orderNumber
  response.redirect(303, session.redirectUrl)
})

// Registered before any body parser, because the signature covers the raw bytes. Unsigned requests get a 400.
app.post(
  '/webhook',
  expressWebhook(PESEWA_WEBHOOK_SECRET, async ({ type, data }) => {
    if (type === 'payment.completed') settle(data)
    if (type === 'refund.completed') noteRefund(await pesewa.payments.retrieve(data.paymentId))
  }),
)

// Returning to this page proves nothing, so the shop reads the payment. The payer may arrive before the
// webhook.
app.get('/orders/:id', async (request, response) => {
  const order = orders.get(request.params.id)
  if (!order) return response.status(404).send(page('No such order', ''))
  if (order.status === 'unpaid' && order.number)
    for await (const payment of pesewa.payments.list({ orderNumber: order.number, status: 'completed' }))
      settle(payment)
  response.send(page(`Order ${order.id}`, `<p>Le ${decimal(order.price)}: ${order.status}</p>`))
})

/**
 * Marks an order as paid. The webhook and the payer can arrive in either order and more than once, but the
 * order is marked only once.
 */
function settle({ id, reference, amount }) {
  const order = orders.get(reference)
  if (order?.status !== 'unpaid') return
  if (amount.value !== order.price.value || amount.currency !== order.price.currency)
    return console.error(`payment ${id} does not match the price of order ${order.id}`)
  Object.assign(order, { status: 'paid', paymentId: id })
  console.log(`paid: order ${order.id} by ${id}`) // Ship the order here.
}

function noteRefund({ id, reference, refund }) {
  const order = orders.get(reference)
  if (order?.paymentId !== id) return
  order.status = refund.refundable.value === 0 ? 'refunded' : 'partly refunded'
  console.log(`${order.status}: order ${order.id}`)
}

// Logs errors; by default, Express would show their stacks to the payer.
app.use((error, _request, response, _next) => {
  console.error(error)
  response.status(500).send(page('Please try again.', ''))
})

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const page = (title, html) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${html}`

app.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop runs at ${shopUrl}`))
