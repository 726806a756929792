import { approvePromptOn, dial, postForm } from './payer.ts'
import { approves, currency, price, provider, type Shop, shown } from './trigger-shop.ts'

// The triggers of events about payers' pages, links and USSD codes.

const phone = '+23276123456'

type Session = { id: string; redirectUrl: string; orderNumber: string; financialAccountId: string }

export async function createSession({ api, say }: Shop): Promise<Session> {
  const lineItems = [{ name: 'Country cloth', price: { currency, value: price } }]
  const session = await api.post<Session>('/v1/checkout-sessions', { name: 'Triggered order', lineItems })
  say(`created checkout session ${session.id} for ${shown(price, currency)}`)
  return session
}

export async function pay(shop: Shop, typed: string): Promise<Session> {
  const session = await createSession(shop)
  const post = async () => {
    await postForm(session.redirectUrl, '', { provider, phone: typed })
    shop.say(`paid on the checkout page with ${provider} and the number ${typed}`)
  }
  await (typed === approves ? approving(shop, post) : post())
  return session
}

/** Runs `ring`, and approves the prompt if the payer's handset was set to ask on the handsets page. */
async function approving({ api, say }: Shop, ring: () => Promise<void>): Promise<void> {
  if (await approvePromptOn(api.url, phone, ring)) say(`approved the prompt on ${phone}`)
}

export async function cancel(shop: Shop): Promise<Session> {
  const session = await createSession(shop)
  await postForm(session.redirectUrl, '/cancel', {})
  shop.say('cancelled the session on the checkout page')
  return session
}

type Link = { id: string; url: string }
type Code = { id: string; ussdCode: string }
type Otp = { id: string; dialCode: string }

export async function createCode({ api, say }: Shop, duration = '10m'): Promise<Code> {
  const amount = { currency, value: price }
  const code = await api.post<Code>('/v1/payment-codes', { name: 'Triggered bill', amount, duration })
  say(
    `created payment code ${code.id} for ${shown(price, currency)}: ${code.ussdCode}, valid for ${duration}`,
  )
  return code
}

export async function payCode(shop: Shop): Promise<Code> {
  const code = await createCode(shop)
  await approving(shop, async () => {
    await dial(shop.api.url, { providerId: provider, number: phone, code: code.ussdCode }, '1')
    shop.say(`dialled the code on ${phone} and chose 1`)
  })
  return code
}

export const cancelCode = async (shop: Shop) =>
  end(shop, '/v1/payment-codes', await createCode(shop), 'cancelled the payment code')

/** Lifetime, by the Space's clock, of a link that is meant to expire. */
const linkLastsMs = 1_000

export async function createLink({ api, say }: Shop, bounds: object = {}): Promise<Link> {
  const lineItems = [{ name: 'Country cloth', price: { currency, value: price } }]
  const link = await api.post<Link>('/v1/payment-links', { name: 'Triggered link', lineItems, ...bounds })
  say(`created payment link ${link.id} for ${shown(price, currency)}`)
  return link
}

/** Pays a link that accepts only one payment, so that the payment completes the link. */
export async function payLink(shop: Shop): Promise<Link> {
  const link = await createLink(shop, { maxPayments: 1 })
  const sessionUrl = await postForm(link.url, '', {})
  await approving(shop, async () => {
    await postForm(sessionUrl, '', { provider, phone: approves })
    shop.say(`opened the link and paid with ${provider} and the number ${approves}`)
  })
  return link
}

export const cancelLink = async (shop: Shop) =>
  end(shop, '/v1/payment-links', await createLink(shop), 'cancelled the payment link')

export async function expireLink(shop: Shop): Promise<Link> {
  const { now } = await shop.api.get<{ now: string }>('/v1/test-clock')
  const link = await createLink(shop, {
    expireTime: new Date(Date.parse(now) + linkLastsMs).toISOString(),
  })
  shop.say('waited for the link to expire')
  return link
}

export async function createOtp({ api, say }: Shop): Promise<Otp> {
  const otp = await api.post<Otp>('/v1/ussd-otps', { authorizedPhoneNumber: phone })
  say(`created one-time password ${otp.id} for ${phone}: ${otp.dialCode}`)
  return otp
}

export async function dialOtp(shop: Shop): Promise<Otp> {
  const otp = await createOtp(shop)
  await dial(shop.api.url, { providerId: provider, number: phone, code: otp.dialCode })
  shop.say('dialled the code for the one-time password on that phone')
  return otp
}

export const expireOtp = async (shop: Shop) =>
  end(shop, '/v1/ussd-otps', await createOtp(shop), 'ended the one-time password early')

/** Deletes an object in order to end it before it expires. */
async function end<T extends { id: string }>(
  { api, say }: Shop,
  path: string,
  created: T,
  done: string,
): Promise<T> {
  await api.delete(`${path}/${created.id}`)
  say(done)
  return created
}
