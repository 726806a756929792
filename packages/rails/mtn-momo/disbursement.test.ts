import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Connector, createPeer, type Disbursement, type RailRefund } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import type { Fields } from '@pesewa/values'
import { createMtnMomo } from './connector.ts'
import type { MtnMomoSettings } from './settings.ts'

// The test runs the rail's server and controls its responses.
type Seen = IncomingMessage & { text: string }
type Handler = (request: Seen, response: ServerResponse) => void
type PaysOut = Connector &
  Required<
    Pick<
      Connector,
      'disburse' | 'queryDisbursement' | 'refund' | 'queryRefund' | 'readReport' | 'verifyAccount'
    >
  >

const ofCollection = { subscriptionKey: 'collection-key', apiUser: 'collection-user', apiKey: 'secret-one' }
const ofDisbursement = { subscriptionKey: 'payout-key', apiUser: 'payout-user', apiKey: 'secret-two' }

let handle: Handler
let tokensAsked: (string | undefined)[]
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  if (request.url?.endsWith('/token/')) {
    tokensAsked.push(`${request.url} ${request.headers['ocp-apim-subscription-key']}`)
    const token = Buffer.from(`${request.headers.authorization}`).toString('base64url')
    return void response.end(JSON.stringify({ access_token: token, expires_in: 3600 }))
  }
  handle(Object.assign(request, { text }), response)
})
let mtn: PaysOut

before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(async () => {
  await mtn?.close()
  mtn = paysOut()
  tokensAsked = []
})
after(async () => {
  await mtn.close()
  server.closeAllConnections()
  server.close()
})

test('without credentials for the product, there are no payouts and no refunds', async () => {
  const collecting = connect({})
  assert.deepEqual([collecting.disburse, collecting.queryDisbursement], [undefined, undefined])
  assert.deepEqual([collecting.refund, collecting.queryRefund], [undefined, undefined])
  await collecting.close()
})

describe('a submit', () => {
  test('contains everything that MTN needs, with the credentials of its own product', async () => {
    let seen: Seen = undefined as never
    handle = (request, response) => {
      seen = request
      response.writeHead(202).end()
    }
    const order = disbursement()
    assert.deepEqual(await mtn.disburse(order), { outcome: 'accepted' })
    const { headers } = seen
    assert.deepEqual([seen.method, seen.url], ['POST', '/disbursement/v1_0/transfer'])
    assert.deepEqual(tokensAsked, ['/disbursement/token/ payout-key'])
    assert.equal(headers['ocp-apim-subscription-key'], 'payout-key')
    assert.equal(headers['x-reference-id'], order.reference)
    assert.equal(headers['x-callback-url'], order.callbackUrl)
    assert.equal(headers['x-target-environment'], 'mtnghana')
    assert.deepEqual(JSON.parse(seen.text), {
      amount: '90071992547409.93',
      currency: 'GHS',
      externalId: order.reference,
      payee: { partyIdType: 'MSISDN', partyId: '233241234567' },
      payerMessage: 'Salaire mai',
      payeeNote: 'Salaire mai',
    })
  })

  test('that the rail already has is accepted', async () => {
    answer(409, { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' })
    assert.deepEqual(await mtn.disburse(disbursement()), { outcome: 'accepted' })
  })

  for (const [reason, code] of [
    ['NOT_ENOUGH_FUNDS', 'fund_insufficient'],
    ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'authorization_failed'],
    ['PAYEE_NOT_FOUND', 'provider_account_missing'],
    ['PAYEE_LIMIT_REACHED', 'provider_account_quota_exhausted'],
    ['ACCOUNTHOLDER_NOT_ACTIVE', 'provider_account_blocked'],
    // In payouts, the payer is our own account with MTN.
    ['PAYER_NOT_FOUND', 'rejected'],
    ['PAYER_LIMIT_REACHED', 'rejected'],
    ['NOT_ALLOWED', 'rejected'],
    ['INVALID_CURRENCY', 'rejected'],
  ] as const)
    test(`that MTN turns down with ${reason} is refused as ${code}`, async () => {
      for (const status of [400, 404]) {
        answer(status, { code: reason, message: 'Do not show this.' })
        const result = await mtn.disburse(disbursement())
        assert(result.outcome === 'refused')
        assert.equal(result.code, code)
        assert.match(result.message, /^[A-Z][A-Za-z’ ]+\.$/)
      }
    })

  const unclear: [string, Handler][] = [
    ['an internal error', replying(500, '{"code": "INTERNAL_PROCESSING_ERROR"}')],
    ['an internal error with a 400', replying(400, '{"code": "INTERNAL_PROCESSING_ERROR"}')],
    ['a known reason with a 500', replying(500, '{"code": "NOT_ENOUGH_FUNDS"}')],
    ['an unavailable service', replying(503, '{"code": "SERVICE_UNAVAILABLE"}')],
    ['an unknown reason', replying(400, '{"code": "CONSTRUCTOR"}')],
    ['an outcome that no submit can have', replying(400, '{"code": "EXPIRED"}')],
    ['garbage', replying(404, '<html>')],
    ['another conflict', replying(409, '{"code": "PAYEE_NOT_FOUND"}')],
    ['a 200 instead of a 202', replying(200, '{}')],
    ['a redirect', replying(302, '')],
    ['two rejected tokens', replying(401, '{"code": "ACCESS_DENIED"}')],
    ['too many requests', replying(429, '{}')],
    ['nothing', () => {}],
    ['a dropped connection', (request) => request.socket.destroy()],
  ]
  for (const [what, handler] of unclear)
    test(`answered with ${what} has an unknown outcome`, async () => {
      await hurry()
      handle = handler
      assert.equal((await mtn.disburse(disbursement())).outcome, 'unknown')
    })
})

describe('a query', () => {
  const paid = { status: 'SUCCESSFUL', amount: '15.00', currency: 'GHS', financialTransactionId: '236' }

  test('uses our reference and reads the amount that was moved', async () => {
    let url: string | undefined
    handle = (request, response) => {
      url = request.url
      response.end(JSON.stringify(paid))
    }
    assert.deepEqual(await mtn.queryDisbursement(about('3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f')), {
      outcome: 'done',
      amount: 1500n,
      currency: 'GHS',
      railTransaction: '236',
    })
    assert.equal(url, '/disbursement/v1_0/transfer/3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f')
  })

  for (const [reason, code] of [
    ['NOT_ENOUGH_FUNDS', 'fund_insufficient'],
    [{ code: 'PAYEE_NOT_FOUND', message: 'Payee does not exist' }, 'provider_account_missing'],
    ['EXPIRED', 'authorization_failed'],
    ['TRANSACTION_CANCELED', 'cancelled'],
    ['COULD_NOT_PERFORM_TRANSACTION', 'unknown'],
    ['__proto__', 'unknown'],
    [undefined, 'unknown'],
  ] as const)
    test(`reads ${JSON.stringify(reason)} as ${code}`, async () => {
      answer(200, { status: 'FAILED', reason })
      const result = await mtn.queryDisbursement(about(randomUUID()))
      assert.deepEqual([result.outcome, 'code' in result && result.code], ['refused', code])
    })

  for (const reason of ['INTERNAL_PROCESSING_ERROR', { code: 'SERVICE_UNAVAILABLE' }])
    test(`does not trust a failure with ${JSON.stringify(reason)}, because the money may have left`, async () => {
      answer(200, { status: 'FAILED', reason })
      assert.equal((await mtn.queryDisbursement(about(randomUUID()))).outcome, 'unknown')
    })

  for (const [what, status, body] of [
    ['an invalid amount', 200, { ...paid, amount: '1.5e1' }],
    ['an unknown status', 200, { ...paid, status: 'SUCCESS' }],
    ['another external id', 200, { ...paid, externalId: randomUUID() }],
    ['another transaction’s failure', 200, { status: 'FAILED', reason: 'EXPIRED', externalId: randomUUID() }],
    ['a list', 200, [paid]],
    ['a 404 without a reason', 404, {}],
  ] as const)
    test(`answered with ${what} is unknown`, async () => {
      answer(status, body)
      assert.equal((await mtn.queryDisbursement(about(randomUUID()))).outcome, 'unknown')
      assert.equal((await mtn.queryRefund(about(randomUUID()))).outcome, 'unknown')
    })

  test('reports missing only if MTN does', async () => {
    answer(404, { code: 'RESOURCE_NOT_FOUND' })
    assert.deepEqual(await mtn.queryDisbursement(about(randomUUID())), { outcome: 'missing' })
  })
})

describe('a refund', () => {
  test('names the payment and no account, because MTN knows the payer', async () => {
    let seen: Seen = undefined as never
    handle = (request, response) => {
      seen = request
      response.writeHead(202).end()
    }
    const order = refund()
    assert.deepEqual(await mtn.refund(order), { outcome: 'accepted' })
    const { headers } = seen
    assert.deepEqual([seen.method, seen.url], ['POST', '/disbursement/v1_0/refund'])
    assert.deepEqual(tokensAsked, ['/disbursement/token/ payout-key'])
    assert.equal(headers['ocp-apim-subscription-key'], 'payout-key')
    assert.equal(headers['x-reference-id'], order.reference)
    assert.equal(headers['x-callback-url'], order.callbackUrl)
    assert.deepEqual(JSON.parse(seen.text), {
      amount: '15.00',
      currency: 'GHS',
      externalId: order.reference,
      referenceIdToRefund: order.original.reference,
      payerMessage: 'Salaire mai',
      payeeNote: 'Salaire mai',
    })
  })

  test('that the rail already has is accepted', async () => {
    answer(409, { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' })
    assert.deepEqual(await mtn.refund(refund()), { outcome: 'accepted' })
  })

  test('of a payment unknown to MTN is refused with that reason', async () => {
    answer(404, { code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' })
    const result = await mtn.refund(refund())
    assert(result.outcome === 'refused')
    assert.equal(result.code, 'rejected')
    assert.match(result.message, /^[A-Z][A-Za-z’ ]+\.$/)
    // For payouts, the same code is inconclusive.
    assert.equal((await mtn.disburse(disbursement())).outcome, 'unknown')
  })

  for (const [what, handler] of [
    ['an internal error', replying(500, '{"code": "INTERNAL_PROCESSING_ERROR"}')],
    ['a known reason with a 500', replying(500, '{"code": "RESOURCE_NOT_FOUND"}')],
    ['a 404 without a reason', replying(404, '{}')],
    ['a 400 without a reason, as returned by MTN’s sandbox', replying(400, '{"message": "Bad request"}')],
    ['silence', () => {}],
    ['a dropped connection', (request) => request.socket.destroy()],
  ] as [string, Handler][])
    test(`answered with ${what} has an unknown outcome`, async () => {
      await hurry()
      handle = handler
      assert.equal((await mtn.refund(refund())).outcome, 'unknown')
    })

  test('is not sent after the fence', async () => {
    handle = () => assert.fail('it was sent')
    const result = await mtn.refund({ ...refund(), mayLeave: () => false })
    assert.deepEqual([result.outcome, 'isTooLate' in result && result.isTooLate], ['unknown', true])
  })

  test('is queried by our reference: done, failed or missing', async () => {
    let url: string | undefined
    const reference = randomUUID()
    handle = (request, response) => {
      url = request.url
      response.end(
        '{"status": "SUCCESSFUL", "amount": "15.00", "currency": "GHS", "financialTransactionId": "236"}',
      )
    }
    const moved = { outcome: 'done', amount: 1500n, currency: 'GHS', railTransaction: '236' }
    assert.deepEqual(await mtn.queryRefund(about(reference)), moved)
    assert.equal(url, `/disbursement/v1_0/refund/${reference}`)
    answer(200, { status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' })
    const failed = await mtn.queryRefund(about(reference))
    assert.deepEqual([failed.outcome, 'code' in failed && failed.code], ['refused', 'fund_insufficient'])
    answer(200, { status: 'FAILED', reason: 'INTERNAL_PROCESSING_ERROR' })
    assert.equal((await mtn.queryRefund(about(reference))).outcome, 'unknown')
    answer(404, { code: 'RESOURCE_NOT_FOUND' })
    assert.deepEqual(await mtn.queryRefund(about(reference)), { outcome: 'missing' })
    answer(404, {})
    assert.equal((await mtn.queryRefund(about(reference))).outcome, 'unknown')
  })
})

test('both balances are queried even if one query fails, each with its own token', async () => {
  handle = (request, response) =>
    replying(
      request.url?.startsWith('/collection/') ? 500 : 200,
      '{"availableBalance": "1.00", "currency": "GHS"}',
    )(request, response)
  assert.deepEqual(await mtn.balances?.(), { outcome: 'unknown', why: '500' })
  assert.deepEqual(tokensAsked.toSorted(), [
    '/collection/token/ collection-key',
    '/disbursement/token/ payout-key',
  ])
  handle = replying(200, '{"availableBalance": "1.00", "currency": "GHS"}')
  assert.deepEqual(await mtn.balances?.(), [
    { name: 'collection', currency: 'GHS', amount: 100n },
    { name: 'disbursement', currency: 'GHS', amount: 100n },
  ])
})

test('a callback proves nothing; its reference and amount are only compared', () => {
  const read = (fields: Fields | undefined) => {
    const rawBody = Buffer.from(JSON.stringify(fields ?? []))
    return mtn.readReport({ method: 'PUT', path: '/', headers: {}, address: '127.0.0.1', rawBody, fields })
  }
  const document = { externalId: 'ours', amount: '15.00', currency: 'GHS', status: 'SUCCESSFUL' }
  assert.deepEqual(read(document), {
    isAuthentic: false,
    reference: 'ours',
    amount: 1500n,
    currency: 'GHS',
  })
  for (const fields of [undefined, {}, { externalId: 7, amount: '1e3', currency: 9 }])
    assert.deepEqual(read(fields), {
      isAuthentic: false,
      reference: undefined,
      amount: undefined,
      currency: undefined,
    })
})

describe('an account', () => {
  /** Responds differently for each of the two paths. */
  const holder = (info: Handler, active: Handler) => {
    handle = (request, response) => (request.url?.endsWith('/active') ? active : info)(request, response)
  }
  const named = replying(200, '{"given_name": "Aminata", "family_name": "Kamara"}')
  const active = replying(200, '{"result": true}')
  const msisdn = '+233241234567'

  test('is queried by its number and has its holder’s name', async () => {
    const urls: (string | undefined)[] = []
    holder(
      (request, response) => {
        urls.push(request.url)
        named(request, response)
      },
      (request, response) => {
        urls.push(request.url)
        active(request, response)
      },
    )
    const found = { outcome: 'found', holderName: 'Aminata Kamara', isActive: true }
    assert.deepEqual(await mtn.verifyAccount(msisdn), found)
    const base = '/disbursement/v1_0/accountholder/msisdn/233241234567'
    assert.deepEqual(urls.sort(), [`${base}/active`, `${base}/basicuserinfo`])
  })

  test('can be queried with the collection credentials alone', async () => {
    holder(named, replying(200, '{"result": false}'))
    const collecting = connect({})
    const found = { outcome: 'found', holderName: 'Aminata Kamara', isActive: false }
    assert.deepEqual(await collecting.verifyAccount?.(msisdn), found)
    await collecting.close()
  })

  test('is missing if MTN reports it', async () => {
    const missing = replying(404, '{"code": "RESOURCE_NOT_FOUND"}')
    holder(missing, missing)
    assert.deepEqual(await mtn.verifyAccount(msisdn), { outcome: 'missing' })
    holder(missing, replying(500, ''))
    assert.deepEqual(await mtn.verifyAccount(msisdn), { outcome: 'missing' })
  })

  for (const [what, body, name] of [
    ['in one piece', { name: 'Sand Box' }, 'Sand Box'],
    ['with accents', { given_name: 'Aïcha', family_name: 'Ouédraogo' }, 'Aïcha Ouédraogo'],
    ['with one part', { given_name: 'Aminata', family_name: 7 }, 'Aminata'],
    ['with direction characters', { name: 'Fatu\u202e\n\u0000Sesay' }, 'Fatu Sesay'],
    ['without a reasonable length', { name: 'A'.repeat(5_000) }, 'A'.repeat(100)],
  ] as const)
    test(`whose name is returned ${what} has a holder`, async () => {
      holder(replying(200, JSON.stringify(body)), active)
      assert.deepEqual(await mtn.verifyAccount(msisdn), {
        outcome: 'found',
        holderName: name,
        isActive: true,
      })
    })

  for (const [what, info, state] of [
    ['no name', replying(200, '{"given_name": " ", "family_name": ""}'), active],
    ['a name that is not text', replying(200, '{"name": {"a": 1}}'), active],
    ['a 404 without a reason', replying(404, '{}'), active],
    ['garbage', replying(200, '<html>'), active],
    ['an error', replying(500, ''), active],
    ['silence', () => {}, active],
    ['no status', named, replying(200, '{"result": "true"}')],
    ['an error for the status', named, replying(500, '{"result": true}')],
  ] as [string, Handler, Handler][])
    test(`answered with ${what} has an unknown holder`, async () => {
      await hurry()
      holder(info, state)
      assert.equal((await mtn.verifyAccount(msisdn)).outcome, 'unknown')
    })
})

const paysOut = (changes: Partial<MtnMomoSettings> = {}) =>
  connect({ disbursement: ofDisbursement, ...changes }) as PaysOut

/** Connects with a short timeout, for a rail that does not respond. */
async function hurry(): Promise<void> {
  await mtn.close()
  mtn = paysOut({ timeoutMs: 250 })
}

function connect(changes: Partial<MtnMomoSettings>): Connector {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createMtnMomo(
    {
      baseUrl,
      targetEnvironment: 'mtnghana',
      collection: ofCollection,
      timeoutMs: 10_000,
      tokenTimeoutMs: 10_000,
      ...changes,
    },
    createPeer(10),
  )
}

function disbursement(): Disbursement {
  return {
    reference: randomUUID(),
    amount: 9007199254740993n,
    currency: 'GHS',
    payeeAccount: '+233241234567',
    description: 'Salaire “mai”',
    callbackUrl: 'https://pay.example/callbacks/payouts/abc',
    mayLeave: () => true,
  }
}

function refund(): RailRefund {
  const { payeeAccount: _, ...order } = disbursement()
  return { ...order, amount: 1500n, original: { reference: randomUUID(), railTransaction: '235' } }
}

function replying(status: number, body: string): Handler {
  return (_request, response) => response.writeHead(status, { location: '/' }).end(body)
}

function answer(status: number, body: unknown): void {
  handle = replying(status, JSON.stringify(body))
}
