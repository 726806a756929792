import type {
  CheckoutSession,
  NewPaymentLink,
  PaymentCode,
  PaymentLink,
  UssdOtp,
} from '../../../../sdk/src/index.ts'
import { approvePromptOn, dial, postForm } from './payer.ts'
import { approves, currency, price, provider, type Shop, shown } from './trigger-shop.ts'

// The triggers of events about payers' pages, links and USSD codes.

const phone = '+23276123456'

export async function createSession({ api, say }: Shop): Promise<CheckoutSession> {
  const lineItems = [{ name: 'Country cloth', price: { currency, value: price } }]
  const session = await api.checkoutSessions.create({ name: 'Triggered order', lineItems })
  say(`created checkout session ${session.id} for ${shown(price, currency)}`)
  return session
}

export async function pay(shop: Shop, typed: string): Promise<CheckoutSession> {
  const session = await createSession(shop)
  const post = async () => {
    await postForm(session.redirectUrl, '', { provider, phone: typed })
    shop.say(`paid on the checkout page with ${provider} and the number ${typed}`)
  }
  await (typed === approves ? approving(shop, post) : post())
  return session
}

/** Runs `ring`, and approves the prompt if the payer's handset was set to ask on the handsets page. */
async function approving({ url, say }: Shop, ring: () => Promise<void>): Promise<void> {
  if (await approvePromptOn(url, phone, ring)) say(`approved the prompt on ${phone}`)
}

export async function cancel(shop: Shop): Promise<CheckoutSession> {
  const session = await createSession(shop)
  await postForm(session.redirectUrl, '/cancel', {})
  shop.say('cancelled the session on the checkout page')
  return session
}

export async function createCode({ api, say }: Shop, duration = '10m'): Promise<PaymentCode> {
  const amount = { currency, value: price }
  const code = await api.paymentCodes.create({ name: 'Triggered bill', amount, duration })
  say(
    `created payment code ${code.id} for ${shown(price, currency)}: ${code.ussdCode}, valid for ${duration}`,
  )
  return code
}

export async function payCode(shop: Shop): Promise<PaymentCode> {
  const code = await createCode(shop)
  await approving(shop, async () => {
    await dial(shop.url, { providerId: provider, number: phone, code: code.ussdCode }, '1')
    shop.say(`dialled the code on ${phone} and chose 1`)
  })
  return code
}

export const cancelCode = async (shop: Shop) =>
  end(shop, shop.api.paymentCodes, await createCode(shop), 'cancelled the payment code')

/** Lifetime, by the Space's clock, of a link that is meant to expire. */
const linkLastsMs = 1_000

export async function createLink(
  { api, say }: Shop,
  bounds: Partial<NewPaymentLink> = {},
): Promise<PaymentLink> {
  const lineItems = [{ name: 'Country cloth', price: { currency, value: price } }]
  const link = await api.paymentLinks.create({ name: 'Triggered link', lineItems, ...bounds })
  say(`created payment link ${link.id} for ${shown(price, currency)}`)
  return link
}

/** Pays a link that accepts only one payment, so that the payment completes the link. */
export async function payLink(shop: Shop): Promise<PaymentLink> {
  const link = await createLink(shop, { maxPayments: 1 })
  const sessionUrl = await postForm(link.url, '', {})
  await approving(shop, async () => {
    await postForm(sessionUrl, '', { provider, phone: approves })
    shop.say(`opened the link and paid with ${provider} and the number ${approves}`)
  })
  return link
}

export const cancelLink = async (shop: Shop) =>
  end(shop, shop.api.paymentLinks, await createLink(shop), 'cancelled the payment link')

export async function expireLink(shop: Shop): Promise<PaymentLink> {
  const { now } = await shop.api.testClock.retrieve()
  const link = await createLink(shop, {
    expireTime: new Date(Date.parse(now) + linkLastsMs).toISOString(),
  })
  shop.say('waited for the link to expire')
  return link
}

export async function createOtp({ api, say }: Shop): Promise<UssdOtp> {
  const otp = await api.ussdOtps.create({ authorizedPhoneNumber: phone })
  say(`created one-time password ${otp.id} for ${phone}: ${otp.dialCode}`)
  return otp
}

export async function dialOtp(shop: Shop): Promise<UssdOtp> {
  const otp = await createOtp(shop)
  await dial(shop.url, { providerId: provider, number: phone, code: otp.dialCode })
  shop.say('dialled the code for the one-time password on that phone')
  return otp
}

export const expireOtp = async (shop: Shop) =>
  end(shop, shop.api.ussdOtps, await createOtp(shop), 'ended the one-time password early')

/** Deletes an object in order to end it before it expires. */
async function end<T extends { id: string }>(
  { say }: Shop,
  resource: { delete(id: string): Promise<unknown> },
  created: T,
  done: string,
): Promise<T> {
  await resource.delete(created.id)
  say(done)
  return created
}
