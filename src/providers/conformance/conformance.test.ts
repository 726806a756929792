import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestSimulator, type TestSimulator } from '../../../test/simulator.ts'
import { loadCatalogue } from '../catalogue.ts'
import { protocols } from '../protocols/protocols.ts'
import { type CallbackReceiver, startReceiver } from './callbacks.ts'
import { asMarkdown, runCases } from './conformance.ts'
import { openStand } from './open-stand.ts'

let receiver: CallbackReceiver
let rail: TestSimulator
before(async () => {
  receiver = await startReceiver()
  rail = await startTestSimulator({ baseUrl: receiver.url })
})
after(async () => {
  await rail.close()
  receiver.close()
})

const accounts = { paying: '+23276123456', late: '+23276123012' }

const standOf = (protocol: (typeof protocols)[number]) => {
  const provider = loadCatalogue()
    .all()
    .find((each) => each.protocol === protocol.name)
  assert(provider, `the simulator plays a provider of ${protocol.name}`)
  const place = { simulatorUrl: rail.url, baseUrl: receiver.url, seals: rail.seals }
  const connection = { ...protocol.testConnection(provider, place), protocol: protocol.name }
  return openStand(connection, provider, {
    accounts,
    amount: 15_000n,
    wait: (ms) => rail.clock.advance(ms),
    receiver,
  })
}

for (const protocol of protocols)
  test(`${protocol.name} passes every case, or says why one does not apply`, async () => {
    const stand = await standOf(protocol)
    try {
      const report = await runCases(stand, { rail: 'simulated', protocol: protocol.name })
      assert(report.ok, asMarkdown(report))
      assert.equal(report.cases.length, 14)
    } finally {
      await stand.close()
    }
  })
