import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Common mistakes in a merchant's own rail. */
export type Mistake = 'pays again' | 'major units' | 'unsigned' | 'answers first' | 'reports first'

type Order = { amount: number; currency: string; payer: { account: string }; callbackUrl: string }
type Payment = { text: string; order: Order; outcomes: object[] }

const callbackKey = 'a key for reports of 32 characters or more'.replaceAll(' ', '-')

/**
 * Starts a rail on loopback, as somebody would write it after reading `docs/guides/rest-rail.md`. It collects
 * from accounts that end in `456` immediately, and from those that end in `012` after it has reported a
 * failure.
 */
export async function openRestRail(mistake?: Mistake) {
  const payments = new Map<string, Payment>()
  let tooEarly: (() => void) | undefined

  async function pay(reference: string, payment: Payment) {
    const { amount, currency, payer, callbackUrl } = payment.order
    const stated = mistake === 'major units' ? amount / 100 : amount
    const done = { status: 'done', amount: stated, currency, transactionId: `T-${randomUUID()}` }
    const failed = { status: 'failed', code: 'not_confirmed' }
    const isLate = payer.account.endsWith('012')
    const commit = () => (payment.outcomes = isLate ? [failed, done] : [done])
    if (mistake !== 'reports first') commit()
    await report(callbackUrl, { reference, ...(isLate ? failed : done) })
    if (mistake === 'reports first') commit()
  }

  function collect(reference: string, text: string, response: ServerResponse) {
    const known = payments.get(reference)
    if (known && known.text !== text) return respond(response, 409, { code: 'conflict' })
    const payment = known ?? { text, order: JSON.parse(text), outcomes: [] }
    const commit = () => {
      payments.set(reference, payment)
      if (!known || mistake === 'pays again') setImmediate(() => void pay(reference, payment))
    }
    if (mistake !== 'answers first') commit()
    respond(response, 202, { status: 'pending' })
    if (mistake === 'answers first') commitSoon(commit)
  }

  /** Commits as soon as a query arrives too early, or after half a second. */
  function commitSoon(commit: () => void) {
    const timer = setTimeout(() => tooEarly?.(), 500)
    tooEarly = () => {
      clearTimeout(timer)
      tooEarly = undefined
      commit()
    }
  }

  function query(reference: string, response: ServerResponse) {
    const { outcomes } = payments.get(reference) ?? {}
    if (!outcomes) respond(response, 404, { code: 'not_found' })
    else {
      respond(response, 200, outcomes[0] ?? { status: 'pending' })
      // After a failure, the next query returns the later outcome.
      if (outcomes.length > 1) outcomes.shift()
    }
    tooEarly?.()
  }

  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const [, what, reference = ''] = request.url!.split('/')
    if (request.headers.authorization !== 'Bearer the-key')
      return respond(response, 401, { code: 'unauthorized' })
    if (what !== 'collections') return respond(response, 404, { code: 'not_found' })
    return request.method === 'PUT' ? collect(reference, text, response) : query(reference, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function report(url: string, fields: object) {
    const body = JSON.stringify(fields)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', callbackKey).update(`${timestamp}.${body}`).digest('hex')
    const signed = { 'rail-timestamp': timestamp, 'rail-signature': signature }
    const headers = { 'content-type': 'application/json', ...(mistake === 'unsigned' ? {} : signed) }
    // Each report is sent once; if it is lost, a later query finds the outcome.
    await fetch(url, { method: 'POST', headers, body }).catch(() => {})
  }

  return {
    connection: {
      protocol: 'rest',
      providers: ['slb001'],
      flow: 'push',
      baseUrl,
      key: 'the-key',
      callbackKey,
    },
    payments,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
