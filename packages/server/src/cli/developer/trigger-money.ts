import { randomUUID } from 'node:crypto'
import type { FinancialAccount, InternalTransfer, Pesewa } from '../../../../sdk/src/index.ts'
import { pay } from './trigger-payers.ts'
import {
  approves,
  currency,
  isAboutObject,
  isAboutOrder,
  price,
  provider,
  type Shop,
  shown,
} from './trigger-shop.ts'

// The triggers of events about payouts, recalls, refunds, transfers and settlements.

export const small = 100
export const impossibleAmount = Number.MAX_SAFE_INTEGER

const pageSize = 50 // accounts that are read together

/**
 * Creates a payout from an account with sufficient funds. The last digits of the payee's number determine the
 * outcome.
 */
export async function payOut(shop: Shop, phoneNumber: string): Promise<{ id: string }> {
  const { api, say } = shop
  const accounts = await accountsOf(api)
  const source =
    accounts.find((account) => account.currency === currency && available(account) >= small) ??
    (await fundAccount(shop))
  const payout = await api.payouts.create({
    amount: { currency, value: small },
    source: { financialAccountId: source.id },
    destination: { type: 'momo', providerId: provider, phoneNumber },
  })
  say(`created payout ${payout.id}: ${shown(small, currency)} from ${source.id} to ${phoneNumber}`)
  return payout
}

/** Creates a payout and recalls it. */
export async function recall(shop: Shop): Promise<{ id: string }> {
  const payout = await payOut(shop, approves)
  await shop.next('payout.completed', isAboutObject(payout))
  const recalled = await shop.api.recalls.create({ payoutId: payout.id, reason: 'wrong_payee' })
  shop.say(`created recall ${recalled.id} for the full amount`)
  return recalled
}

export async function cancelRecall(shop: Shop): Promise<{ id: string }> {
  const recalled = await recall(shop)
  await shop.api.recalls.cancel(recalled.id)
  shop.say('cancelled the recall')
  return recalled
}

/** Makes a payment and refunds part of it. */
export async function refundPayment(shop: Shop, payerMessage?: string): Promise<{ id: string }> {
  const session = await pay(shop, approves)
  const { object } = await shop.next('payment.completed', isAboutOrder(session))
  const refund = await shop.api.refunds.create({
    paymentId: object.id,
    amount: { currency, value: small },
    reason: 'requested_by_customer',
    ...(payerMessage && { payerMessage }),
  })
  shop.say(`created refund ${refund.id}: ${shown(small, currency)} to the payer`)
  return refund
}

/** Transfers money between two accounts in the same currency, after opening and funding them if necessary. */
export async function transferMoney(shop: Shop, value: number): Promise<InternalTransfer> {
  const { api, say } = shop
  const accounts = await accountsOf(api)
  const isMeantToFail = value === impossibleAmount
  const source =
    accounts.find((account) => isMeantToFail || available(account) >= value) ??
    (isMeantToFail ? await openAccount(shop, currency) : await fundAccount(shop))
  const destination =
    accounts.find((account) => account.id !== source.id && account.currency === source.currency) ??
    (await openAccount(shop, source.currency))
  const transfer = await api.internalTransfers.create({
    amount: { currency: source.currency, value },
    sourceFinancialAccount: { id: source.id },
    destinationFinancialAccount: { id: destination.id },
    description: 'Triggered transfer',
  })
  const amount = shown(value, source.currency)
  say(`created transfer ${transfer.id}: ${amount} from ${source.id} to ${destination.id}, ${transfer.status}`)
  return transfer
}

/** Books a float top-up. Uses a new bank reference each time, because a reference can be booked only once. */
export async function topUp({ api, say }: Shop): Promise<{ id: string }> {
  const settlement = await api.settlements.create({
    kind: 'float_top_up',
    providerId: provider,
    amount: { currency, value: price },
    bankReference: `triggered ${randomUUID()}`,
    valueDate: '2026-01-01',
  })
  say(`booked settlement ${settlement.id}: ${provider} now holds ${shown(price, currency)} more for payouts`)
  return settlement
}

export async function reverse(shop: Shop): Promise<{ id: string }> {
  const settlement = await topUp(shop)
  await shop.api.settlements.reverse(settlement.id, { reason: 'Test only' })
  shop.say('reversed the settlement')
  return settlement
}

const accountsOf = (api: Pesewa) =>
  api.financialAccounts.list({ withBalance: true, limit: pageSize }).all({ limit: Infinity })

const available = ({ balance }: FinancialAccount) => balance?.available.value ?? 0

type AccountRef = Pick<FinancialAccount, 'id' | 'currency'>

async function openAccount({ api, say }: Shop, currency: string): Promise<AccountRef> {
  const account = await api.financialAccounts.create({ name: 'Triggered transfers', currency })
  say(`opened account ${account.id} in ${currency}`)
  return account
}

/** Funds an account by paying a checkout session. */
async function fundAccount(shop: Shop): Promise<AccountRef> {
  const session = await pay(shop, approves)
  await shop.next('payment.completed', isAboutOrder(session))
  return { id: session.financialAccountId, currency }
}
