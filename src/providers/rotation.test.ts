import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { about } from '../../test/rail-query.ts'
import { createSeals } from '../platform/seals.ts'
import { loadCatalogue } from './catalogue.ts'
import { openConnectors } from './connectors.ts'

// A rail that knows the second of two credentials, and takes every code.
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

test('a payer’s code goes by the second credential where the rail does not know the first', async () => {
  const file = path.join(folder, 'providers.json')
  writeFileSync(path.join(folder, 'key'), `${first}\n${second}\n`)
  const telecel = { protocol: 'paystack', baseUrl, secretKeyFile: 'key' }
  writeFileSync(file, JSON.stringify({ connections: { 'telecel-gh': telecel } }))
  const seals = createSeals('a secret key that only this test knows')
  const connectors = openConnectors(loadCatalogue(file), { seals, baseUrl, simulatorUrl: undefined })
  const { submitCode } = connectors.connectorOf('telecel-gh', 'live')!
  await submitCode!(about('6f1f0c5e-3c55-4f0e-8d2b-0d4f7f2a9a11'), '123456')
  assert.deepEqual(sent, ['/charge/submit_otp first', '/charge/submit_otp second'])
  await connectors.close()
})
