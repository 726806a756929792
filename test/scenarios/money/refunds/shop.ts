import type { ManualClock } from '@pesewa/connector-kit/simulator'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { type Merchant, type TestApp, until } from '../../../support/harness.ts'
import { type Account, createPayer } from '../../../support/payer.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
export type Shown = any

export const reasonOf = ({ status, body }: { status: number; body: { error?: { reason: string } } }) =>
  body.error ? `${status} ${body.error.reason}` : String(status)

const hasEnded = ({ status }: Shown) => ['completed', 'failed', 'cancelled'].includes(status)

/** Providers whose payers authorise on the rail's page. */
const hasPage = ['slb001', 'card']

/** Creates a merchant who is paid through a rail that the test controls. */
export async function openShop(t: TestApp, rail: ManualClock, of?: Merchant) {
  const merchant = of ?? (await t.merchant())
  const read = async (path: string) => (await merchant.call('GET', path)).body.result
  const payment = (id: string) => read(`/v1/payments/${id}`)
  const get = (id: string) => read(`/v1/refunds/${id}`)
  /** Waits until the simulated rail has done everything that is due and its reports are recorded. */
  const ended = (find: () => Promise<Shown>) =>
    until(async () => {
      await rail.advance(300)
      const found = await find()
      return found && hasEnded(found) && found
    })
  const attempt = async (value: number, provider = 'm17', account: string | Account = '076123456') => {
    const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value } }]
    const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems }))
      .body.result
    const payer = createPayer(session.redirectUrl)
    await payer.pay(provider, account)
    if (hasPage.includes(provider)) {
      const page = await until(async () => (await payer.look('/wait')).location ?? undefined)
      await payer.answer(page, { answer: 'approve', ...(provider === 'card' && { card: 'visa' }) })
    }
    return {
      session,
      find: async () => (await read(`/v1/payments?orderNumber=${session.orderNumber}`))[0] as Shown,
    }
  }
  return {
    merchant,
    get,
    payment,
    attempt,
    /** Creates a payment and waits until it has ended. */
    async pay(value: number, ...by: [provider?: string, account?: string | Account]): Promise<Shown> {
      const { find } = await attempt(value, ...by)
      return ended(find)
    },
    refund: (paymentId: string, value?: number, more: object = {}, as = merchant) =>
      as.call('POST', '/v1/refunds', {
        paymentId,
        ...(value !== undefined && { amount: { currency: 'SLE', value } }),
        reason: 'requested_by_customer',
        ...more,
      }),
    ended: (id: string) => ended(() => get(id)),
    act: (id: string, verb: string, as = merchant) => as.call('POST', `/v1/refunds/${id}/${verb}`, {}),
    async balance(accountId: string) {
      const { balance } = await read(`/v1/financial-accounts/${accountId}?withBalance=true`)
      return [balance.available.value, balance.held.value]
    },
    lines: (reference: string): Promise<Shown[]> => read(`/v1/financial-transactions?reference=${reference}`),
    userId: showId(userIds, merchant.userId),
    /** Adds another member to the same Space. */
    join: async (role = 'owner') =>
      t.merchant({ sameUserAs: { ...merchant, userId: (await t.merchant()).userId }, role }),
  }
}
