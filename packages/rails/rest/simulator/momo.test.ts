import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createPeer } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import { promptsOf, setHandsetMode, startTestSimulator } from '../../../../test/support/simulator.ts'
import { loadCatalogue } from '../../../server/src/rails/connections/catalogue.ts'
import { createRest } from '../connector.ts'
import { railKey } from '../test-keys.ts'

// An operator's adapter may also reach a mobile money provider, whose accounts are phone numbers.

const folder = mkdtempSync(path.join(tmpdir(), 'rest-momo-'))
const providersFile = path.join(folder, 'providers.json')
const { reachedBy: _, ...orange } = must(loadCatalogue().find('m17'), 'provider')
writeFileSync(
  providersFile,
  JSON.stringify({ providers: [{ ...orange, providerId: 'momo-sl', protocol: 'rest' }] }),
)
const rail = await startTestSimulator({ providersFile })
const connector = createRest(
  {
    baseUrl: `${rail.url}/rest/momo-sl`,
    key: railKey(rail.seals),
    pageOrigin: rail.url,
    flow: 'push',
    timeoutMs: 5_000,
  },
  createPeer(5),
)
after(async () => {
  await connector.close()
  await rail.close()
  rmSync(folder, { recursive: true })
})

const pay = (payerAccount: string) =>
  connector.collect({
    reference: randomUUID(),
    amount: 1_500n,
    currency: 'SLE',
    payerAccount,
    description: 'Two cups',
    orderNumber: '000000000001',
    callbackUrl: `${rail.callbackUrl}/1`,
    returnUrl: null,
    mayLeave: () => true,
  })

test('the handset with the payer’s number shows the prompt', async () => {
  await setHandsetMode(rail.url, '+23276123456', 'ask')
  assert.equal((await pay('+23276123456')).outcome, 'accepted')
  assert.equal((await promptsOf(rail.url, '+23276123456')).length, 1)
})

for (const account of ['23276123456', '+023276123456', '0011223344'])
  test(`the account ${account} is refused, because it is not a phone number in E.164 format`, async () => {
    assert.deepEqual(await pay(account), { outcome: 'unknown', why: '400 request_invalid' })
  })
