import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Collection } from '@pesewa/connector-kit'
import { createSeals } from '../../platform/seals.ts'
import { loadCatalogue } from './catalogue.ts'
import { openConnectors } from './connectors.ts'

const collection: Collection = {
  reference: '6f1f0c5e-3c55-4f0e-8d2b-0d4f7f2a9a11',
  amount: 1_500n,
  currency: 'GHS',
  description: 'Two cups',
  callbackUrl: 'https://pay.example/callbacks/payments/x',
  mayLeave: () => true,
  payerAccount: '+233241234567',
  orderNumber: '482915037264',
  returnUrl: null,
}

// A rail that accepts only the second of two credentials, and every code.
const [first, second] = ['sk_live_0123456789abcdef0123', 'sk_live_fedcba98765432100123']
const sent: string[] = []
const rail = createServer((request, response) => {
  const isKnown = request.headers.authorization === `Bearer ${second}`
  sent.push(`${request.url} ${isKnown ? 'second' : 'first'}`)
  const data = { reference: 'a', status: 'pending', display_text: '' }
  response
    .writeHead(isKnown ? 200 : 401)
    .end(JSON.stringify(isKnown ? { status: true, message: 'Charge attempted', data } : { status: false }))
}).listen(0, '127.0.0.1')
await once(rail, 'listening')
const baseUrl = `http://127.0.0.1:${(rail.address() as AddressInfo).port}`
const folder = mkdtempSync(path.join(tmpdir(), 'rotation-'))
after(() => {
  rail.close()
  rmSync(folder, { recursive: true })
})

test('a payer’s code is sent with the second credential if the rail rejects the first', async () => {
  const file = path.join(folder, 'providers.json')
  writeFileSync(path.join(folder, 'key'), `${first}\n${second}\n`)
  const telecel = { protocol: 'paystack', baseUrl, secretKeyFile: 'key' }
  writeFileSync(file, JSON.stringify({ connections: { 'telecel-gh': telecel } }))
  const seals = createSeals('a secret key that only this test knows')
  const connectors = openConnectors(loadCatalogue(file), { seals, baseUrl, simulatorUrl: undefined })
  const { submitCode } = connectors.findConnector('telecel-gh', 'live')!
  await submitCode!(collection, '123456')
  assert.deepEqual(sent, ['/charge/submit_otp first', '/charge/submit_otp second'])
  await connectors.close()
})
