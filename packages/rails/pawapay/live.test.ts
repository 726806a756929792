import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startTestApp, until } from '../../../test/support/harness.ts'
import { createPayer } from '../../../test/support/payer.ts'
import { isSignedBy, readSignatureInput, signRequest } from './message-signatures.ts'

// A live connection to pawaPay for a provider that has its own protocol.

const ours = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const theirs = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const signingKey = String(ours.privateKey.export({ type: 'pkcs8', format: 'pem' }))
const token = 'token-of-pawapay'

type Deposit = { depositId: string; isSigned: boolean; provider: string; authorization: string | undefined }
const deposits: Deposit[] = []
const pawapay = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const [body, headers] = [Buffer.concat(chunks), request.headers]
  const say = (status: number, fields: object) => response.writeHead(status).end(JSON.stringify(fields))
  if (request.method === 'GET')
    return say(
      200,
      request.url!.startsWith('/v2/deposits') ? { status: 'FOUND', data: { status: 'PROCESSING' } } : {},
    )
  const { depositId, payer } = JSON.parse(body.toString())
  const input = readSignatureInput(headers['signature-input'])
  const signed = { method: 'POST', path: request.url!, authority: headers.host!, headers, body }
  const isSigned = input !== undefined && isSignedBy(signed, input, ours.publicKey)
  const { provider } = payer.accountDetails
  deposits.push({ depositId, isSigned, provider, authorization: headers.authorization })
  return say(200, { status: 'ACCEPTED' })
}).listen(0, '127.0.0.1')
await once(pawapay, 'listening')

const folder = mkdtempSync(path.join(tmpdir(), 'pawapay-live-'))
const providersFile = path.join(folder, 'providers.json')
const africa = {
  protocol: 'pawapay',
  providers: ['m17'],
  baseUrl: `http://127.0.0.1:${(pawapay.address() as AddressInfo).port}`,
  token,
  signingKey,
  signingKeyId: 'OURS:1',
  callbackKeys: { 'HTTP_EC_P256_KEY:1': String(theirs.publicKey.export({ type: 'spki', format: 'pem' })) },
}
writeFileSync(providersFile, JSON.stringify({ connections: { africa } }))

const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile } })
after(async () => {
  await t.close()
  pawapay.closeAllConnections()
  pawapay.close()
  rmSync(folder, { recursive: true })
})
const merchant = await t.merchant({ environment: 'live' })

async function pay() {
  const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  deposits.length = 0
  await createPayer(session.redirectUrl).pay('m17', '+23276123456')
  const [deposit] = await until(() => deposits.length > 0 && deposits)
  const find = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  await until(find)
  return { deposit: deposit!, find }
}

const url = `${t.baseUrl}/callbacks/connections/live/africa`
const report = async (fields: object, key = theirs.privateKey) => {
  const body = JSON.stringify(fields)
  const { 'content-length': _, ...headers } = signRequest(
    { key, keyId: 'HTTP_EC_P256_KEY:1' },
    { method: 'POST', url, body },
  )
  return (await fetch(url, { method: 'POST', headers, body })).status
}

test('a payment is requested with our signature and completed by the signed report, without a query', async () => {
  const { deposit, find } = await pay()
  assert.deepEqual(deposit, {
    ...deposit,
    isSigned: true,
    provider: 'ORANGE_SLE',
    authorization: `Bearer ${token}`,
  })
  const { depositId } = deposit
  const completed = { depositId, status: 'COMPLETED', amount: '300.00', currency: 'SLE' }
  assert.equal(await report(completed, ours.privateKey), 401)
  assert.equal((await find()).status, 'processing')
  assert.equal(await report({ ...completed, depositId: '0d5f9f8e-1d0b-4b3c-9a55-5e1a7e0c0de1' }), 200)
  assert.equal((await find()).status, 'processing')
  assert.equal(await report({ ...completed, providerTransactionId: 'MP-1' }), 200)
  assert.equal(await report(completed), 200, 'doubled')
  const payment = await until(async () => {
    const found = await find()
    return found.status === 'completed' && found
  })
  assert.equal(payment.amount.value, 30_000)
  await t.verify()
})
