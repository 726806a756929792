// A shop in plain Node without dependencies: like the Express shop, but with the API calls written out.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { call } from './api.js'

const { PESEWA_WEBHOOK_SECRET, PORT = '3000' } = process.env
// With an empty secret, anyone could sign events.
if (!PESEWA_WEBHOOK_SECRET?.startsWith('whsec_')) throw new Error('PESEWA_WEBHOOK_SECRET is not set')
const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`

const price = { currency: 'SLE', value: 15_000 } // Le 150.00: amounts are integers in minor units
// Orders are kept in memory to keep this example short; a real shop stores them in its database.
const orders = new Map()

const routes = {
  'GET /': async () =>
    page(
      'Country cloth',
      `<p>${shown(price)}</p><form method="post" action="/pay"><button>Pay</button></form>`,
    ),
  'POST /pay': pay,
  'POST /webhook': receive,
  'GET /orders': showOrder,
}

async function pay() {
  // The price comes from the shop, never from the form. The order is stored before anyone can pay it.
  const order = { id: randomUUID(), price, status: 'unpaid' }
  orders.set(order.id, order)
  const session = await call('POST', '/v1/checkout-sessions', `order-${order.id}`, {
    name: 'Country cloth',
    reference: order.id,
    lineItems: [{ name: 'Country cloth', price: order.price }],
    successUrl: `${shopUrl}/orders/${order.id}`,
    cancelUrl: shopUrl,
  })
  order.number = session.orderNumber
  return { status: 303, headers: { location: session.redirectUrl } }
}

async function receive(request) {
  const body = await bodyOf(request)
  if (!isSigned(request.headers, body)) return { status: 400 }
  const { type, data } = JSON.parse(body.toString())
  if (type === 'payment.completed') settle(data)
  if (type === 'refund.completed')
    noteRefund(await call('GET', `/v1/payments/${encodeURIComponent(data.paymentId)}`))
  return { status: 204 }
}

/** Rejects bodies over one megabyte, which no event exceeds, to protect memory. */
async function bodyOf(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > 1_048_576) throw new Error('the webhook body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Verifies a Standard Webhooks signature: HMAC-SHA256 of id, time and raw body, at most five minutes old. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!/^\d+$/.test(timestamp ?? '') || Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(PESEWA_WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const [version, encoded = ''] = signature.split(',')
    const bytes = Buffer.from(encoded, 'base64')
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}

// Returning to this page proves nothing, so the shop reads the payment. The payer may arrive before the
// webhook.
async function showOrder(_request, id) {
  const order = orders.get(id)
  if (!order) return page('No such order', '', 404)
  if (order.status === 'unpaid' && order.number)
    for (const payment of await call('GET', `/v1/payments?status=completed&orderNumber=${order.number}`))
      settle(payment)
  return page(`Order ${order.id}`, `<p>${shown(order.price)}: ${order.status}</p>`)
}

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

/** Formats an amount without floating-point numbers. */
const shown = ({ value }) => `Le ${Math.trunc(value / 100)}.${String(value % 100).padStart(2, '0')}`
const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const page = (title, html, status = 200) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${html}`,
})

createServer(async (request, response) => {
  const [, first, id] = request.url.split('?')[0].split('/')
  const handle = routes[`${request.method} /${first}`] ?? (async () => page('Not found', '', 404))
  const { status, headers, body } = await handle(request, id).catch((error) => {
    console.error(error)
    return page('Please try again.', '', 500)
  })
  response.writeHead(status, headers).end(body)
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The shop runs at ${shopUrl}`))
