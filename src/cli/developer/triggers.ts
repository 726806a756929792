import { randomUUID } from 'node:crypto'
import { formatMoney } from '../../countries/money.ts'
import type { EventType } from '../../events/types.ts'
import type { ApiClient } from './api-client.ts'
import type { FeedEvent } from './event-feed.ts'
import { approvingOn, dial, postForm } from './payer.ts'

/** Whether an event is the one that was made to happen. */
export type Recognise = (event: FeedEvent) => boolean

export type Shop = {
  api: ApiClient
  /** Prints a step. */
  say(line: string): void
  /** Waits for an event. */
  next(type: EventType, recognise: Recognise): Promise<FeedEvent>
}

/** What makes a type happen: over the API as a merchant, and over the payment page or a handset as a payer. */
export type Trigger = (shop: Shop) => Promise<Recognise>

const provider = 'm17'
const approves = '076 123 456'
const phone = '+23276123456'
const hasNoMoney = '076 000 001'
const currency = 'SLE'
/** To the payer of a refund: by it the simulated rail decides. */
const failsBy = '001'
const price = 15_000
const small = 100
const moreThanAnybodyHas = Number.MAX_SAFE_INTEGER

export const triggers: Partial<Record<EventType, Trigger>> = {
  'checkout_session.created': async (shop) => about(await createSession(shop)),
  'checkout_session.completed': async (shop) => about(await pay(shop, approves)),
  'checkout_session.cancelled': async (shop) => about(await cancel(shop)),
  'payment_code.created': async (shop) => about(await createCode(shop)),
  'payment_code.processed': async (shop) => about(await payCode(shop)),
  'payment_code.completed': async (shop) => about(await payCode(shop)),
  'payment_code.expired': async (shop) => about(await createCode(shop, '1s')),
  'payment_code.cancelled': async (shop) => about(await cancelCode(shop)),
  'payment_link.created': async (shop) => about(await createLink(shop)),
  'payment_link.completed': async (shop) => about(await payLink(shop)),
  'payment_link.expired': async (shop) => about(await outliveLink(shop)),
  'payment_link.cancelled': async (shop) => about(await cancelLink(shop)),
  'ussd_otp.created': async (shop) => about(await createOtp(shop)),
  'ussd_otp.verified': async (shop) => about(await dialOtp(shop)),
  'ussd_otp.expired': async (shop) => about(await endOtp(shop)),
  'payment.created': async (shop) => ofOrder(await pay(shop, approves)),
  'payment.processing': async (shop) => ofOrder(await pay(shop, approves)),
  'payment.completed': async (shop) => ofOrder(await pay(shop, approves)),
  'payment.failed': async (shop) => ofOrder(await pay(shop, hasNoMoney)),
  'payout.created': async (shop) => about(await payOut(shop, approves)),
  'payout.processing': async (shop) => about(await payOut(shop, approves)),
  'payout.completed': async (shop) => about(await payOut(shop, approves)),
  'payout.failed': async (shop) => about(await payOut(shop, hasNoMoney)),
  'recall.created': async (shop) => about(await recall(shop)),
  'recall.cancelled': async (shop) => about(await cancelRecall(shop)),
  'refund.created': async (shop) => about(await giveBack(shop)),
  'refund.processing': async (shop) => about(await giveBack(shop)),
  'refund.completed': async (shop) => about(await giveBack(shop)),
  'refund.failed': async (shop) => about(await giveBack(shop, failsBy)),
  'internal_transfer.created': async (shop) => about(await move(shop, small)),
  'internal_transfer.completed': async (shop) => about(await move(shop, small)),
  'internal_transfer.failed': async (shop) => about(await move(shop, moreThanAnybodyHas)),
  'settlement.created': async (shop) => about(await topUp(shop)),
  'settlement.reversed': async (shop) => about(await reverse(shop)),
  'financial_transaction.created': async (shop) => ofPosting(await move(shop, small)),
}

type Session = { id: string; redirectUrl: string; orderNumber: string; financialAccountId: string }
type Account = { id: string; currency: string; balance: { available: { value: number } } }
type Transfer = { id: string; status: string; financialTransactionReference: string | null }

const about =
  ({ id }: { id: string }): Recognise =>
  ({ object }) =>
    object.id === id
const ofOrder =
  ({ orderNumber }: Session): Recognise =>
  ({ data }) =>
    data.orderNumber === orderNumber
const ofPosting =
  ({ financialTransactionReference }: Transfer): Recognise =>
  ({ data }) =>
    data.reference === financialTransactionReference

async function createSession({ api, say }: Shop): Promise<Session> {
  const lineItems = [{ name: 'Country cloth', price: { currency, value: price } }]
  const session = await api.post<Session>('/v1/checkout-sessions', { name: 'A triggered order', lineItems })
  say(`created ${session.id} of ${shown(price, currency)}`)
  return session
}

async function pay(shop: Shop, typed: string): Promise<Session> {
  const session = await createSession(shop)
  const post = async () => {
    await postForm(session.redirectUrl, '', { provider, phone: typed })
    shop.say(`paid it on its page, with ${provider} and ${typed}`)
  }
  await (typed === approves ? approving(shop, post) : post())
  return session
}

/** The phone that pays may be set to ask: somebody tried that on the page of handsets. */
async function approving({ api, say }: Shop, ring: () => Promise<void>): Promise<void> {
  if (await approvingOn(api.url, phone, ring)) say(`approved it on ${phone}, which is set to ask`)
}

async function cancel(shop: Shop): Promise<Session> {
  const session = await createSession(shop)
  await postForm(session.redirectUrl, '/cancel', {})
  shop.say('cancelled it on its page')
  return session
}

type Link = { id: string; url: string }
type Code = { id: string; ussdCode: string }
type Otp = { id: string; dialCode: string }

async function createCode({ api, say }: Shop, duration = '10m'): Promise<Code> {
  const amount = { currency, value: price }
  const code = await api.post<Code>('/v1/payment-codes', { name: 'A triggered bill', amount, duration })
  say(`created ${code.id} of ${shown(price, currency)}, ${code.ussdCode}, for ${duration}`)
  return code
}

async function payCode(shop: Shop): Promise<Code> {
  const code = await createCode(shop)
  await approving(shop, async () => {
    await dial(shop.api.url, { providerId: provider, number: phone, code: code.ussdCode }, '1')
    shop.say(`dialled it on the phone ${phone}, and chose 1`)
  })
  return code
}

async function cancelCode(shop: Shop): Promise<Code> {
  const code = await createCode(shop)
  await shop.api.delete(`/v1/payment-codes/${code.id}`)
  shop.say('cancelled it')
  return code
}

/** How long one lasts that is to expire, by the clock of the Space. */
const linkLastsMs = 1_000

async function createLink({ api, say }: Shop, bounds: object = {}): Promise<Link> {
  const lineItems = [{ name: 'Country cloth', price: { currency, value: price } }]
  const link = await api.post<Link>('/v1/payment-links', { name: 'A triggered link', lineItems, ...bounds })
  say(`created ${link.id} of ${shown(price, currency)}`)
  return link
}

/** By all the payments that it takes. */
async function payLink(shop: Shop): Promise<Link> {
  const link = await createLink(shop, { maxPayments: 1 })
  const sessionUrl = await postForm(link.url, '', {})
  await approving(shop, async () => {
    await postForm(sessionUrl, '', { provider, phone: approves })
    shop.say(`followed it, and paid with ${provider} and ${approves}`)
  })
  return link
}

async function cancelLink(shop: Shop): Promise<Link> {
  const link = await createLink(shop)
  await shop.api.delete(`/v1/payment-links/${link.id}`)
  shop.say('cancelled it')
  return link
}

async function outliveLink(shop: Shop): Promise<Link> {
  const { now } = await shop.api.get<{ now: string }>('/v1/test-clock')
  const link = await createLink(shop, {
    expireTime: new Date(Date.parse(now) + linkLastsMs).toISOString(),
  })
  shop.say('waited for its end')
  return link
}

async function createOtp({ api, say }: Shop): Promise<Otp> {
  const otp = await api.post<Otp>('/v1/ussd-otps', { authorizedPhoneNumber: phone })
  say(`created ${otp.id}, ${otp.dialCode}, for ${phone}`)
  return otp
}

async function dialOtp(shop: Shop): Promise<Otp> {
  const otp = await createOtp(shop)
  await dial(shop.api.url, { providerId: provider, number: phone, code: otp.dialCode })
  shop.say('dialled it on that phone')
  return otp
}

async function endOtp(shop: Shop): Promise<Otp> {
  const otp = await createOtp(shop)
  await shop.api.delete(`/v1/ussd-otps/${otp.id}`)
  shop.say('ended it early')
  return otp
}

/** From an account that has the money; the last digits of the payee's number decide its outcome. */
async function payOut(shop: Shop, phoneNumber: string): Promise<{ id: string }> {
  const { api, say } = shop
  const accounts = await api.list<Account>('/v1/financial-accounts', { withBalance: 'true' })
  const source =
    accounts.find((account) => account.currency === currency && account.balance.available.value >= small) ??
    (await earn(shop))
  const payout = await api.post<{ id: string }>('/v1/payouts', {
    amount: { currency, value: small },
    source: { financialAccountId: source.id },
    destination: { type: 'momo', providerId: provider, phoneNumber },
  })
  say(`created ${payout.id} of ${shown(small, currency)} from ${source.id} to ${phoneNumber}`)
  return payout
}

/** Of a payout that has just left. */
async function recall(shop: Shop): Promise<{ id: string }> {
  const payout = await payOut(shop, approves)
  await shop.next('payout.completed', about(payout))
  const recalled = await shop.api.post<{ id: string }>('/v1/recalls', {
    payoutId: payout.id,
    reason: 'wrong_payee',
  })
  shop.say(`created ${recalled.id}, of all of it`)
  return recalled
}

async function cancelRecall(shop: Shop): Promise<{ id: string }> {
  const recalled = await recall(shop)
  await shop.api.post(`/v1/recalls/${recalled.id}/cancel`, {})
  shop.say('cancelled it')
  return recalled
}

/** A part of a payment that was just made. */
async function giveBack(shop: Shop, payerMessage?: string): Promise<{ id: string }> {
  const session = await pay(shop, approves)
  const { data } = await shop.next('payment.completed', ofOrder(session))
  const refund = await shop.api.post<{ id: string }>('/v1/refunds', {
    paymentId: data.id,
    amount: { currency, value: small },
    reason: 'requested_by_customer',
    ...(payerMessage && { payerMessage }),
  })
  shop.say(`created ${refund.id} of ${shown(small, currency)} to its payer`)
  return refund
}

/** Between two accounts of one currency, whichever there are; what is missing is opened or earned. */
async function move(shop: Shop, value: number): Promise<Transfer> {
  const { api, say } = shop
  const accounts = await api.list<Account>('/v1/financial-accounts', { withBalance: 'true' })
  const isMeantToFail = value === moreThanAnybodyHas
  const source =
    accounts.find(({ balance }) => isMeantToFail || balance.available.value >= value) ??
    (isMeantToFail ? await openAccount(shop, currency) : await earn(shop))
  const destination =
    accounts.find((account) => account.id !== source.id && account.currency === source.currency) ??
    (await openAccount(shop, source.currency))
  const transfer = await api.post<Transfer>('/v1/internal-transfers', {
    amount: { currency: source.currency, value },
    sourceFinancialAccount: { id: source.id },
    destinationFinancialAccount: { id: destination.id },
    description: 'A triggered transfer',
  })
  const amount = shown(value, source.currency)
  say(`created ${transfer.id} of ${amount} from ${source.id} to ${destination.id}: ${transfer.status}`)
  return transfer
}

/** A bank's reference is booked once: each has another. */
async function topUp({ api, say }: Shop): Promise<{ id: string }> {
  const settlement = await api.post<{ id: string }>('/v1/settlements', {
    kind: 'float_top_up',
    providerId: provider,
    amount: { currency, value: price },
    bankReference: `triggered ${randomUUID()}`,
    valueDate: '2026-01-01',
  })
  say(`booked ${settlement.id}: ${provider} has ${shown(price, currency)} more to pay out from`)
  return settlement
}

async function reverse(shop: Shop): Promise<{ id: string }> {
  const settlement = await topUp(shop)
  await shop.api.post(`/v1/settlements/${settlement.id}/reverse`, { reason: 'It was only a trial' })
  shop.say('reversed it')
  return settlement
}

type Place = Pick<Account, 'id' | 'currency'>

async function openAccount({ api, say }: Shop, currency: string): Promise<Place> {
  const account = await api.post<Account>('/v1/financial-accounts', { name: 'Triggered transfers', currency })
  say(`opened ${account.id} in ${currency}`)
  return account
}

/** No account has money: a payer brings some. */
async function earn(shop: Shop): Promise<Place> {
  const session = await pay(shop, approves)
  await shop.next('payment.completed', ofOrder(session))
  return { id: session.financialAccountId, currency }
}

const shown = (value: number, currency: string) => formatMoney({ currency, value: BigInt(value) })
