// A shop that uses the SDK on any runtime. It is written like an integrator's code and uses nothing else from
// this repository.
import { decimal, money, OutcomeUnknownError, Pesewa, verifyWebhook } from 'pesewa'
import { payAs, signWebhook, testEvent, until } from 'pesewa/testing'
import { fetchWebhook } from 'pesewa/webhooks'

export async function shop({ ed25519, ...options }) {
  let lost = 0
  /** Loses every second response to a write on the way. */
  const lossy = async (url, init) => {
    const response = await fetch(url, init)
    if (init.method !== 'POST' || lost++ % 2 === 1) return response
    await response.text()
    throw new TypeError('the connection was lost')
  }
  const pesewa = new Pesewa({ ...options, fetch: lossy })

  const price = money('SLE', '300.00')
  const order = { name: 'Order 42', lineItems: [{ name: 'Country cloth', price }] }
  const session = await pesewa.checkoutSessions.create(order)
  const unknown = await pesewa.checkoutSessions.create(order, { maxRetries: 0 }).catch((error) => error)
  const settled = unknown instanceof OutcomeUnknownError ? await unknown.settle() : undefined
  const sessions = await pesewa.checkoutSessions.list({ limit: 1 }).all({ limit: 10 })

  const [newest] = await until(
    () => pesewa.events.list({ limit: 1 }).all({ limit: 1 }),
    (events) => events.length > 0,
  )
  await payAs(session, { provider: 'm17', phone: '076 123 456' })
  let paid
  for await (const event of pesewa.events.stream({ after: newest.id }))
    if (event.type === 'payment.completed') {
      paid = event.data
      break
    }
  const refund = await pesewa.refunds.create({
    paymentId: paid.id,
    amount: money('SLE', '100.00'),
    reason: 'requested_by_customer',
  })
  await until(
    () => pesewa.refunds.retrieve(refund.id),
    ({ status }) => status === 'completed',
  )
  const refused = await pesewa.payments.retrieve('pay-none').catch(({ name, reason }) => ({ name, reason }))

  const large = async () => new Response('{"success":true,"result":{"value":9007199254740993}}')
  const { value } = await new Pesewa({ ...options, fetch: large }).overview.retrieve()

  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  let received
  const handle = fetchWebhook(secret, ({ type }) => (received = type))
  const { body, headers } = await signWebhook(testEvent('payment.completed', { id: 'pay-1' }), secret)
  const post = (text) => handle(new Request('http://shop.example/', { method: 'POST', headers, body: text }))
  const statuses = [(await post(body)).status, (await post(`${body} `)).status]
  const publicKeyIsGood = await verifyWebhook(ed25519.body, ed25519.headers, ed25519.publicKey)

  return {
    paid: decimal(paid.amount),
    refunded: decimal(refund.amount),
    isSettled: settled?.id !== undefined && settled.id !== session.id,
    sessions: sessions.length,
    largeSumsAre: typeof value,
    ...{ refused, received, statuses, byPublicKey: publicKeyIsGood.id },
  }
}
