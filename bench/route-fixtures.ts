import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { postForm } from '../packages/server/src/cli/developer/payer.ts'

/** A shop, with everything that its own client needs to call the API. */
export type Shop = Caller & { mainAccount: string }
type Caller = { origin: string; token: string; spaceId: string }

const atOnce = 10
const pageSize = 50
/** Number of objects of each type that are requested in turn. */
const maxListed = 200
const throughLimitMs = 120_000
const lookEveryMs = 250

export const wantedSession = {
  name: 'Order 42',
  description: 'Two lappa of country cloth, and a basket',
  reference: 'order-42',
  successUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/basket',
  lineItems: [
    { name: 'Country cloth', price: { currency: 'SLE', value: 15_000 }, quantity: 2, reference: 'cloth' },
    { name: 'Basket', price: { currency: 'SLE', value: 4_500 }, description: 'Woven by hand' },
  ],
  metadata: { cart: '42', channel: 'web' },
}
export const wantedCode = { name: 'School fees', amount: { currency: 'SLE', value: 15_000 }, duration: '2d' }
export const wantedOtp = (number: number) => ({
  authorizedPhoneNumber: `+232761${String(number).padStart(5, '0')}`,
  verificationMessage: 'Welcome back.',
  duration: '1h',
})
export const wantedAccount = { name: 'Rent', currency: 'SLE', description: 'What tenants pay' }
export const wantedPayout = {
  amount: { currency: 'SLE', value: 100 },
  destination: { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
}
/** The port of its URL is closed. */
const wantedWebhook = { name: 'Orders', url: 'http://127.0.0.1:9/hooks', events: ['checkout_session.*'] }

/** Creates `count` of every type of object, and waits until everything is paid, paid out and published. */
export async function stockShop(shop: Shop, count: number): Promise<void> {
  await call(shop, '/v1/webhooks', wantedWebhook)
  await repeat(count, async (i) => {
    const account = await call(shop, '/v1/financial-accounts', wantedAccount)
    await call(shop, '/v1/internal-transfers', {
      amount: { currency: 'SLE', value: 100 },
      sourceFinancialAccount: { id: shop.mainAccount },
      destinationFinancialAccount: { id: account.id },
      description: 'One of many',
      metadata: { order: '42' },
    })
    await call(shop, '/v1/payment-codes', wantedCode)
    await call(shop, '/v1/ussd-otps', wantedOtp(i))
    await call(shop, '/v1/payouts', wantedPayout)
    const session = await call(shop, '/v1/checkout-sessions', wantedSession)
    await postForm(session.redirectUrl!, '', { provider: 'm17', phone: '+23276123456' })
  })
  const limit = performance.now() + throughLimitMs
  for (const path of ['/v1/payments', '/v1/payouts'])
    while ((await listPages(shop, path)).entries.some(({ status }) => status !== 'completed')) {
      if (performance.now() > limit)
        throw new Error(`${path}: not all are finished after ${throughLimitMs} ms`)
      await sleep(lookEveryMs)
    }
}

/**
 * Creates an order for each shop in the list and pays it by mobile money. When all payments are completed,
 * returns their ids in the order of the list.
 */
export async function payOrders(shops: Caller[]): Promise<string[]> {
  const numbers: string[] = []
  await repeat(shops.length, async (i) => {
    const session = await call(shops[i]!, '/v1/checkout-sessions', wantedSession)
    await postForm(session.redirectUrl!, '', { provider: 'm17', phone: '+23276123456' })
    numbers[i] = session.orderNumber!
  })
  const ids: string[] = []
  const limit = performance.now() + throughLimitMs
  await repeat(shops.length, async (i) => {
    const find = async (): Promise<Resource | undefined> =>
      (await ask(shops[i]!, `/v1/payments?orderNumber=${numbers[i]}`)).result[0]
    let payment = await find()
    while (payment?.status !== 'completed') {
      if (performance.now() > limit) throw new Error(`a payment is ${payment?.status}`)
      await sleep(lookEveryMs)
      payment = await find()
    }
    ids[i] = payment.id
  })
  return ids
}

/** Creates a checkout session that can be paid. */
export const makeSession = (shop: Caller): Promise<Resource> =>
  call(shop, '/v1/checkout-sessions', wantedSession)

/** The fields of a resource that are used here. */
type Resource = { id: string; status?: string; redirectUrl?: string; orderNumber?: string }

/** Returns the newest objects of a type, and the URLs of their list pages. */
export async function listPages(shop: Shop, path: string): Promise<{ paths: string[]; entries: Resource[] }> {
  const paths: string[] = []
  const entries: Resource[] = []
  let next: string | null = null
  do {
    const page: string = `${path}?limit=${pageSize}${next === null ? '' : `&after=${next}`}`
    const answer = await ask(shop, page)
    entries.push(...(answer.result as Resource[]))
    next = answer.pagination!.next
    // Skips a partial last page, which would be faster than the others.
    if (answer.result.length === pageSize || paths.length === 0) paths.push(page)
  } while (next !== null && entries.length < maxListed)
  return { paths, entries }
}

async function call(shop: Caller, path: string, body: object): Promise<Resource> {
  return (await ask(shop, path, body)).result
}

async function ask({ origin, token, spaceId }: Caller, path: string, body?: object) {
  const answer = await fetch(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'service-space-id': spaceId,
      ...(body && { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

/** Runs `work` `count` times, a few at a time. */
async function repeat(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let begun = 0
  const lane = async () => {
    while (begun < count) await work(begun++)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
