import assert from 'node:assert/strict'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { testGatewaySecret } from '../../packages/server/src/ways-to-pay/ussd/test-gateway.ts'
import { createPayer } from '../support/payer.ts'
import { type Answer, call, order, type Shop } from '../support/program.ts'
import type { TestSimulator } from '../support/simulator.ts'
import { ownConnection } from './rail-orders.ts'

/**
 * Something that clients, payers and colleagues repeat until it is done, always with the same idempotency keys,
 * even after a restore.
 */
export type Errand = {
  name: string
  /** Takes the next step. Returns whether the errand is done. */
  step(): Promise<boolean>
}

/** A status that the service acknowledged. If the backup was made later, a restore must not change it. */
type Acknowledged = { shop: Shop; url: string; status: string | undefined; at: number }

export type ErrandsOptions = {
  simulator: TestSimulator
  /** This shop needs its second user's approval for batches; `shop` pays out alone. */
  cautious: Shop & { approver: Shop }
  shop: Shop
  /** Returns the URL of a running node. */
  nodeUrl(): string
}

const final = ['completed', 'failed', 'cancelled']

/** Creates errands of all kinds. Each uses its own accounts, so that the rails' books show what happened to it. */
export function openErrands({ simulator, cautious, shop, nodeUrl }: ErrandsOptions) {
  const acknowledged: Acknowledged[] = []
  /** Accounts that may pay at most once, and accounts that may be paid at most once. */
  const accounts = { payers: new Set<string>(), payees: new Set<string>() }
  /** Payers whose payment a restored service may count as paid, although it was refunded. */
  const latePayers = new Set<string>()
  let last = 0
  const next = () => ++last

  async function ask(as: Shop, method: string, url: string, body?: object, key?: string): Promise<Answer> {
    const headers = { ...ownConnection, ...(key && { 'idempotency-key': key }) }
    return call({ ...as, baseUrl: nodeUrl() }, method, url, body, headers)
  }

  /** Returns the object that this request creates, or that it created earlier. */
  async function create(as: Shop, url: string, body: object, key: string) {
    const { status, body: answer } = await ask(as, 'POST', url, body, key)
    assert.equal(status, 200, `${url} ${key}: ${JSON.stringify(answer)}`)
    acknowledged.push({
      shop: as,
      url: `${url}/${answer.result.id}`,
      status: undefined,
      at: performance.now(),
    })
    return read(as, `${url}/${answer.result.id}`)
  }

  async function read(as: Shop, url: string) {
    const { status, body } = await ask(as, 'GET', url)
    assert.equal(status, 200, `${url}: ${JSON.stringify(body)}`)
    if (final.includes(body.result.status))
      acknowledged.push({ shop: as, url, status: body.result.status, at: performance.now() })
    return body.result
  }

  const hasEnded = ({ status }: { status: string }) => final.includes(status)
  const amount = { currency: 'SLE', value: 100 }

  function payee(digits: string) {
    const walletId = `payee${next()}x${digits}`
    accounts.payees.add(walletId)
    return { type: 'wallet', providerId: 'dw001', walletId }
  }

  /** Returns an Orange phone number; `digits` decide how its payments end. */
  function payer(digits: string) {
    const phone = `76${String(100 + next())}${digits}`
    accounts.payers.add(`232${phone}`)
    accounts.payees.add(`232${phone}`)
    if (digits === '012') latePayers.add(`232${phone}`)
    return phone
  }

  function payout(digits: string): Errand {
    const [key, destination] = [`payout ${next()}`, payee(digits)]
    return {
      name: key,
      step: async () => hasEnded(await create(shop, '/v1/payouts', { amount, destination }, key)),
    }
  }

  function batch(as: Shop & { approver?: Shop }): Errand {
    const key = `batch ${next()}`
    const rows = ['456', '456', '001'].map((digits) => ({ amount, destination: payee(digits) }))
    return {
      name: key,
      async step() {
        const made = await create(as, '/v1/payout-batches', { name: key, rows }, key)
        const approve = `/v1/payout-batches/${made.id}/approve`
        if (as.approver && made.status === 'pending')
          assert.equal((await ask(as.approver, 'POST', approve, {}, `${key} approval`)).status, 200)
        return hasEnded(made)
      },
    }
  }

  type Paid = { id: string; status: string; refund: { refundable: { value: number } } }

  /** Asserts that a phone has at most one payment, apart from lost ones. */
  async function paymentOf(phone: string): Promise<Paid | undefined> {
    const { body } = await ask(shop, 'GET', `/v1/payments?phoneNumber=232${phone}`)
    const [first, second] = body.result
    assert.equal(second, undefined, `a second payment of ${phone}`)
    return first && (await read(shop, `/v1/payments/${first.id}`))
  }

  /** Pays on the page of a session. Returns false if the page is not waiting for a payer. */
  async function payOn(url: string, phone: string): Promise<boolean> {
    const page = createPayer(new URL(new URL(url).pathname, nodeUrl()).href, ownConnection)
    const { text } = await page.look()
    const [, formToken] = /name="formToken" value="([^"]+)"/.exec(text) ?? []
    if (!formToken) return false
    await page.post('', { provider: 'm17', phone: `0${phone}`, formToken })
    return true
  }

  /**
   * Creates an errand in which a payer pays once and checks the page, followed by `whenPaid`. Failed payments
   * are not retried.
   */
  const paying = (
    name: string,
    phone: string,
    pay: () => Promise<unknown>,
    whenPaid: (payment: Paid) => Promise<boolean> = async () => true,
  ): Errand => ({
    name,
    async step() {
      const payment = await paymentOf(phone)
      if (!payment) await pay()
      return payment !== undefined && hasEnded(payment) && whenPaid(payment)
    },
  })

  function session(digits: string, whenPaid?: (payment: Paid, key: string) => Promise<boolean>): Errand {
    const [key, phone] = [`session ${next()}`, payer(digits)]
    return paying(
      key,
      phone,
      async () => {
        const body = order(100, { duration: '7d' })
        const { redirectUrl } = await create(shop, '/v1/checkout-sessions', body, key)
        await payOn(redirectUrl, phone)
      },
      whenPaid && ((payment) => whenPaid(payment, key)),
    )
  }

  const refund = (part: number): Errand =>
    session('456', async (payment, key) => {
      const request = { paymentId: payment.id, amount: { ...amount, value: part }, reason: 'order_cancelled' }
      return hasEnded(await create(shop, '/v1/refunds', request, `${key} refund`))
    })

  /**
   * Creates an errand in which the rail reports failure and accepts the money after all. A colleague then
   * refunds it, unless it counts as paid.
   */
  const late = (): Errand =>
    session('012', async (payment, key) => {
      if (payment.status === 'completed') return true
      const { body } = await ask(shop, 'GET', '/v1/cases?limit=50')
      const found = body.result.find((one: { objectId: string }) => one.objectId === payment.id)
      if (!found) return false
      if (found.status === 'open')
        assert.equal(
          (await ask(shop, 'POST', `/v1/cases/${found.id}/return`, {}, `${key} return`)).status,
          200,
        )
      const refunds = await ask(shop, 'GET', `/v1/refunds?paymentId=${payment.id}`)
      return refunds.body.result.length === 1 && hasEnded(refunds.body.result[0])
    })

  /**
   * Creates an errand in which several payers follow one link. If a payer's session is lost or has expired, the
   * payer follows the link again.
   */
  function link(): Errand[] {
    const key = `link ${next()}`
    return Array.from({ length: 3 }, () => {
      const phone = payer('456')
      let page: string | undefined
      return paying(`${key}: ${phone}`, phone, async () => {
        const openAmount = { currency: 'SLE', minimum: 50 }
        const made = await create(shop, '/v1/payment-links', { name: key, openAmount }, key)
        if (page && (await payOn(page, phone))) return
        const visit = createPayer(new URL(new URL(made.url).pathname, nodeUrl()).href, ownConnection)
        const { location } = await visit.post('', { formToken: await visit.formToken(), amount: '1.00' })
        page = location ? new URL(location, nodeUrl()).href : undefined
        if (page) await payOn(page, phone)
      })
    })
  }

  /**
   * Creates an errand in which several payers dial one code. If another payment is in progress, a payer is told
   * to try again.
   */
  function code(): Errand[] {
    const key = `code ${next()}`
    return Array.from({ length: 2 }, () => {
      const phone = payer('456')
      let dials = 0
      return paying(`${key}: ${phone}`, phone, async () => {
        const made = await create(
          shop,
          '/v1/payment-codes',
          { name: 'Fees', amount, mode: 'recurrent', duration: '7d' },
          key,
        )
        const url = `${nodeUrl()}/ussd/africastalking/${testGatewaySecret(simulator.seals)}`
        const form = {
          sessionId: `dial ${phone} ${++dials}`,
          serviceCode: made.ussdCode,
          phoneNumber: `+232${phone}`,
          networkCode: '61901',
        }
        for (const text of ['', '1'])
          await fetch(url, {
            method: 'POST',
            headers: ownConnection,
            body: new URLSearchParams({ ...form, text }),
          })
      })
    })
  }

  return {
    all: (): Errand[] => [
      ...['456', '456', '001', '007'].map(payout),
      ...[shop, shop, cautious, cautious].map(batch),
      ...['456', '456', '001'].map((digits) => session(digits)),
      ...[100, 40].map(refund),
      ...[late(), late(), late()],
      ...[link(), link(), code(), code()].flat(),
    ],

    /** Returns the number of objects that the service has acknowledged. */
    count: () => lastOf(acknowledged).length,

    /** Asserts that everything acknowledged before a moment is unchanged. Returns the number of objects. */
    async assertKept(before: number): Promise<number> {
      const kept = lastOf(acknowledged.filter(({ at }) => at < before))
      for (const { shop, url, status } of kept) {
        const { status: http, body } = await ask(shop, 'GET', url)
        assert.equal(http, 200, `${url} is gone`)
        if (status) assert.equal(body.result.status, status, url)
      }
      return kept.length
    },

    /**
     * Asserts that each payer paid at most once, that each payee was paid at most once, and that the books
     * match the rails. Returns the movements at the rails.
     */
    async assertOnce(completed: string[]): Promise<string[]> {
      // every space: the simulator is the outside world
      const moved = await simulator.db.query<{ account: string; side: 'in' | 'out'; count: bigint }>(sql`
        select payer as account, 'in' as side, count(*) from simulator_collections where moved_at is not null group by 1
        union all
        select payee, 'out', count(*) from simulator_disbursements where moved_at is not null group by 1`)
      const own = { in: accounts.payers, out: accounts.payees }
      for (const { account, side } of moved) assert.ok(own[side].has(account), `unknown account: ${account}`)
      const twice = moved.filter(({ count }) => count > 1n)
      assert.deepEqual(
        twice.map(({ account, side }) => `${side} ${account}`),
        [],
        'more than once',
      )
      const forgotten = ({ account, side }: { account: string; side: string }) =>
        side === 'out' && latePayers.has(account) && !completed.includes(`out ${account}`)
      const names = moved.filter((one) => !forgotten(one)).map(({ account, side }) => `${side} ${account}`)
      assert.deepEqual(names.sort(), completed.sort())
      return moved.map(({ account, side }) => `${side} ${account}`).sort()
    },
  }
}

/** Returns the last acknowledged status of each object. */
const lastOf = (acknowledged: Acknowledged[]) => [
  ...new Map(acknowledged.map((one) => [`${one.shop.spaceId} ${one.url}`, one])).values(),
]
