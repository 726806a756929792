import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { freePort } from '../../support/free-port.ts'
import { startTestApp } from '../../support/harness.ts'

const metricsPort = await freePort()
// Occupies the same port on loopback, so that no other metrics can be there.
const taken = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
await once(taken, 'listening')
const elsewherePort = (taken.address() as AddressInfo).port
const t = await startTestApp({
  work: false,
  settings: { HOST: '0.0.0.0', METRICS_PORT: String(metricsPort) },
})
const elsewhere = await startTestApp({
  work: false,
  anotherNodeOf: t,
  settings: { METRICS_HOST: '127.0.0.3', METRICS_PORT: String(elsewherePort) },
})
after(async () => {
  await elsewhere.close()
  await t.close()
  taken.close()
})

const isServed = (host: string, port: number, path: string) =>
  fetch(`http://${host}:${port}${path}`).then(
    ({ ok }) => ok,
    () => false,
  )

// All of 127.0.0.0/8 belongs to this machine, so another of its addresses stands for the outside network.
test('a service that listens on every address exposes its metrics only on loopback', async () => {
  const { port } = t.app.parts.settings
  assert.equal(await isServed('127.0.0.2', port, '/healthz'), true)
  assert.equal(await isServed('127.0.0.1', metricsPort, '/metrics'), true)
  assert.equal(await isServed('127.0.0.2', metricsPort, '/metrics'), false)
})

test('METRICS_HOST changes the address on which metrics are exposed', async () => {
  assert.equal(await isServed('127.0.0.3', elsewherePort, '/metrics'), true)
  assert.equal(await isServed('127.0.0.1', elsewherePort, '/metrics'), false)
})
