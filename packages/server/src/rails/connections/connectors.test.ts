import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Provider } from '@pesewa/connector-kit'
import { createSeals } from '../../platform/seals.ts'
import { loadCatalogue } from './catalogue.ts'
import { CatalogueError } from './catalogue-error.ts'
import { openConnectors } from './connectors.ts'
import { protocolNames } from './protocols.ts'

const seals = createSeals('a secret key known only to this test')

const folder = mkdtempSync(join(tmpdir(), 'connectors-'))
const file = join(folder, 'providers.json')
after(() => rmSync(folder, { recursive: true }))

const simulatorUrl = 'http://127.0.0.1:1/simulator'
const baseUrl = 'http://127.0.0.1:1'
const collection = { subscriptionKey: 'secret-one', apiUser: 'secret-two', apiKey: 'secret-three' }
const ghana = {
  protocol: 'mtn-momo',
  baseUrl: 'https://proxy.momoapi.example',
  targetEnvironment: 'mtnghana',
  collection,
}
const bank = { protocol: 'rest', baseUrl: 'https://rail.bank.example', key: 'secret-key' }

test('in test, every provider is simulated', async () => {
  const connectors = openConnectors(loadCatalogue(), { seals, baseUrl, simulatorUrl })
  for (const { providerId } of loadCatalogue().all())
    assert.equal(connectors.isActive(providerId, 'test'), true, providerId)
  assert.equal(connectors.isActive('nope', 'test'), false)
  await connectors.close()
})

test('live has only the operator’s connections', async () => {
  const catalogue = write({ 'mtn-gh': ghana })
  const connectors = openConnectors(catalogue, { seals, baseUrl, simulatorUrl })
  const active = catalogue.all().filter(({ providerId }) => connectors.isActive(providerId, 'live'))
  assert.deepEqual(
    active.map(({ providerId }) => providerId),
    ['mtn-gh'],
  )
  assert.notEqual(connectors.findConnector('mtn-gh', 'live'), connectors.findConnector('mtn-gh', 'test'))
  await connectors.close()
})

test('a disabled provider takes no new payments, but still answers queries', async () => {
  const off = { ...loadCatalogue().find('mtn-gh'), status: { active: false } } as Provider
  const connectors = openConnectors(write({ 'mtn-gh': ghana }, [off]), { seals, baseUrl, simulatorUrl })
  for (const environment of ['test', 'live'] as const) {
    assert.equal(connectors.isActive('mtn-gh', environment), false)
    assert(connectors.findConnector('mtn-gh', environment))
  }
  await connectors.close()
})

test('payouts need the catalogue’s permission and the operator’s credentials', async () => {
  const shut = structuredClone(loadCatalogue().find('slb004')) as Provider
  shut.featureSet.payout.canPayTo = false
  shut.featureSet.kycVerification.canVerifyAccount = false
  const connections = {
    'mtn-gh': ghana,
    'mtn-ug': { ...ghana, disbursement: collection },
    slb001: bank,
    slb004: bank,
  }
  const connectors = openConnectors(write(connections, [shut]), { seals, baseUrl, simulatorUrl })
  const can = (providerId: string, environment: 'test' | 'live') => {
    const connector = connectors.findConnector(providerId, environment)
    return [connector?.disburse, connector?.queryDisbursement, connector?.verifyAccount].map(Boolean)
  }
  for (const providerId of ['m17', 'slb001', 'dw001'])
    assert.deepEqual(can(providerId, 'test'), [true, true, true], providerId)
  assert.deepEqual(can('card', 'test'), [false, false, false])
  assert.deepEqual(can('mtn-gh', 'live'), [false, false, true])
  assert.deepEqual(can('mtn-ug', 'live'), [true, true, true])
  assert.deepEqual(can('slb001', 'live'), [true, true, true])
  assert.deepEqual(can('slb004', 'live'), [false, true, false], 'started disbursements can still be queried')
  await connectors.close()
})

test('an entry has only the contract’s fields, with the status in its environment', async () => {
  const catalogue = loadCatalogue()
  const connectors = openConnectors(catalogue, { seals, baseUrl, simulatorUrl })
  const provider = catalogue.find('m17')
  assert(provider)
  const { type: _type, currencies: _currencies, network: _network, protocol: _protocol, ...more } = provider
  const { reachedBy: _reachedBy, color: _color, ...entry } = more
  assert.deepEqual(connectors.describe(provider, 'test'), entry)
  assert.deepEqual(connectors.describe(provider, 'live'), { ...entry, status: { active: false } })
  await connectors.close()
})

test('a live provider is called by the protocol of its connection', async () => {
  const catalogue = write({
    pawapay: {
      protocol: 'pawapay',
      providers: ['m17', 'mtn-gh'],
      baseUrl: 'https://api.pawapay.example',
      token: 'secret',
    },
  })
  const connectors = openConnectors(catalogue, { seals, baseUrl, simulatorUrl })
  for (const providerId of ['m17', 'mtn-gh']) {
    assert.equal(connectors.findConnector(providerId, 'live')?.missingAfterMs, 900_000)
    assert.equal(connectors.findConnector(providerId, 'test')?.missingAfterMs, undefined)
  }
  await connectors.close()
})

test('a hanging rail does not delay any other', async (t) => {
  const hanging = await listen(createServer(() => {}))
  const working = await listen(
    createServer((request, response) =>
      request.url === '/collection/token/'
        ? response.end('{"access_token": "t", "expires_in": 3600}')
        : response.writeHead(202).end(),
    ),
  )
  t.after(() => {
    for (const { server } of [hanging, working]) {
      server.closeAllConnections()
      server.close()
    }
  })
  const catalogue = write({
    'mtn-gh': { ...ghana, baseUrl: hanging.url, timeoutMs: 3_000 },
    'mtn-ug': { ...ghana, baseUrl: working.url },
  })
  const connectors = openConnectors(catalogue, { seals, baseUrl, simulatorUrl, maxConnections: 1 })
  const collect = (providerId: string) =>
    connectors.findConnector(providerId, 'live')?.collect({
      reference: randomUUID(),
      amount: 1n,
      currency: 'GHS',
      payerAccount: '+233241234567',
      description: 'Cup',
      orderNumber: '1',
      callbackUrl: 'https://pay.example/',
      returnUrl: null,
      mayLeave: () => true,
    })
  const outcomes: string[] = []
  const stuck = collect('mtn-gh')?.then((result) => outcomes.push(`mtn-gh ${result.outcome}`))
  await collect('mtn-ug')?.then((result) => outcomes.push(`mtn-ug ${result.outcome}`))
  await stuck
  assert.deepEqual(outcomes, ['mtn-ug accepted', 'mtn-gh unknown'])
  await connectors.close()
})

test('an invalid connection is refused with its field but none of its values', () => {
  const { apiKey: _, ...keyless } = collection
  const two = { ...loadCatalogue().find('mtn-gh'), currencies: ['GHS', 'XOF'] } as Provider
  const sandbox = { ...ghana, targetEnvironment: 'sandbox', sandboxCurrency: 'EUR' }
  const issues: [unknown, string, Provider[]?][] = [
    [{ 'mtn-gh': { ...ghana, collection: keyless } }, 'connections.mtn-gh.collection.apiKey is missing'],
    [{ 'mtn-gh': { ...ghana, secret: 'secret' } }, 'connections.mtn-gh.secret is not a known field'],
    [
      { 'mtn-gh': { ...ghana, collection: { ...collection, apiKey: 'secret three' } } },
      'connections.mtn-gh.collection.apiKey must match',
    ],
    [
      { 'mtn-gh': { ...ghana, collection: { ...collection, apiUser: 'secret:user' } } },
      'connections.mtn-gh.collection.apiUser must match',
    ],
    [{ 'mtn-gh': { ...ghana, disbursement: keyless } }, 'connections.mtn-gh.disbursement.apiKey is missing'],
    [{ 'mtn-gh': { ...ghana, maxPerSecond: 0 } }, 'connections.mtn-gh.maxPerSecond must be >= 1'],
    [{ slb001: { ...bank, maxAtOnce: 1_001 } }, 'connections.slb001.maxAtOnce must be <= 1000'],
    [
      { card: { ...bank, protocol: 'acquirer', maxAtOnce: 1 } },
      'connections.card.maxAtOnce is not a known field',
    ],
    [
      { 'mtn-gh': { ...ghana, protocol: 'secret' } },
      `connections.mtn-gh.protocol must be one of ${protocolNames.join(', ')}`,
    ],
    [{ 'mtn-gh': { ...ghana, timeoutMs: 0 } }, 'connections.mtn-gh.timeoutMs must be >= 1'],
    [{ 'mtn-xx': ghana }, 'connections["mtn-xx"]: there is no such provider'],
    [{ slb001: ghana }, 'connections["slb001"]: protocol must be rest'],
    ...[
      'http://rail.example',
      'https://a:secret@rail.example',
      'https://rail.example/',
      'https://rail.example?secret',
      'secret',
    ].map(
      (baseUrl) =>
        [{ 'mtn-gh': { ...ghana, baseUrl } }, 'connections["mtn-gh"]: baseUrl must be an https URL'] as [
          unknown,
          string,
        ],
    ),
    [
      { 'mtn-gh': { ...ghana, sandboxCurrency: 'EUR' } },
      'connections["mtn-gh"]: sandboxCurrency is allowed only if targetEnvironment is sandbox',
    ],
    [
      { 'mtn-gh': { ...sandbox, sandboxCurrency: 'QQQ' } },
      'connections["mtn-gh"]: sandboxCurrency is not a valid currency',
    ],
    [
      { 'mtn-gh': sandbox },
      'connections["mtn-gh"]: sandboxCurrency requires a provider with a single currency',
      [two],
    ],
    [
      { slb001: { ...bank, pageOrigin: 'http://pay.bank.example' } },
      'connections["slb001"]: pageOrigin must be',
    ],
    [
      { slb001: { ...bank, pageOrigin: 'https://pay.bank.example/' } },
      'connections["slb001"]: pageOrigin must be',
    ],
    [{ slb001: { ...bank, flow: 'secret' } }, 'connections.slb001.flow must be one of push, redirect'],
    [{ card: { ...bank, protocol: 'acquirer', flow: 'push' } }, 'connections.card.flow is not a known field'],
    [{ slb001: { ...bank, share: 101 } }, 'connections.slb001.share must be <= 100'],
    [{ slb001: { ...bank, status: 'secret' } }, 'connections.slb001.status must be one of open, closed'],
    [
      { slb001: { ...bank, share: 60 }, second: { ...bank, providers: ['slb001'], share: 41 } },
      'connections: the shares of slb001 add up to 101 %',
    ],
    [
      { slb001: { ...bank, share: 60 }, second: { ...bank, providers: ['slb001'], share: 39 } },
      'connections: the shares of slb001 add up to 99 %; leave the share of one connection unset',
    ],
    [{ slb001: { ...bank, share: 5 } }, 'connections: the shares of slb001 add up to 5 %'],
    [[], 'connections must be object'],
  ]
  for (const [connections, expected, providers] of issues) {
    const message = errorOf(connections, providers)
    assert(message.startsWith(`${file}: ${expected}`), message)
    assert.doesNotMatch(message.replace('.secret is', ''), /secret/)
  }
})

test('a secret may be stored in a file; errors never show its content', () => {
  const { key: _, ...keyless } = bank
  const secretFile = join(folder, 'key')
  const errorWith = (text: string, connection: object = { ...keyless, keyFile: 'key' }) => {
    writeFileSync(secretFile, text)
    return errorOf({ slb001: connection })
  }
  for (const [text, expected] of [
    ['', 'keyFile: .* must contain one or two values'],
    ['secret-1\nsecret-2\nsecret-3\n', 'keyFile: .* must contain one or two values'],
    ['secret one', 'key must match'],
    ['good\nsecret two', 'key must match'],
    ['s'.repeat(40_000), 'keyFile: .* is too large'],
  ] as const) {
    const message = errorWith(text)
    assert.match(message, new RegExp(`connections\\.slb001\\.${expected}`))
    assert.doesNotMatch(message, /secret/)
  }
  assert.match(errorWith('good', { ...bank, keyFile: 'key' }), /key and keyFile cannot both be set/)
  assert.match(errorWith('good', { ...keyless, keyFile: 'nowhere' }), /keyFile: .*nowhere cannot be read/)
  assert.match(errorWith('good', { ...bank, maxAtOnceFile: 'key' }), /maxAtOnceFile is not a known field/)
  const { baseUrl: __, ...nowhere } = bank
  // Otherwise, the URL could be changed while payments are in flight, and the new rail's "missing" would be
  // trusted.
  assert.match(errorWith('https://bank.example', { ...nowhere, baseUrlFile: 'key' }), /baseUrl is missing/)
  const inside = { ...ghana, collection: { subscriptionKey: 'a', apiUser: 'b', apiKeyFile: 'key' } }
  writeFileSync(secretFile, 'inside\n')
  const [connection] = write({ 'mtn-gh': inside }).connectionsOf('mtn-gh')
  assert.equal((connection as unknown as typeof ghana).collection.apiKey, 'inside')
})

test('a connection may use the URL and credentials of either MTN platform', () => {
  for (const [address, apiUser, apiKey] of [
    ['https://proxy.momoapi.mtn.com', '7d5f9f8e-1d0b-4b3c-9a55-5e1a7e0c0de1', 'fedcba9876543210'],
    ['https://momoapi.momo.africa', 'c2VjcmV0LXVzZXI+Lw==', 'a:secret+/=%20&?token!'],
  ])
    assert.equal(
      write({
        'mtn-gh': { ...ghana, baseUrl: address, collection: { ...collection, apiUser, apiKey } },
      }).connectionsOf('mtn-gh')[0]?.baseUrl,
      address,
    )
})

test('a file that is not JSON is reported with the position but without its text', () => {
  for (const text of [
    '{"connections": {"mtn-gh": {"collection": {"apiKey": secret-key}}}}',
    '"secret',
    'secret',
  ]) {
    writeFileSync(file, text)
    assert.throws(
      () => loadCatalogue(file),
      (error) => {
        assert(error instanceof CatalogueError)
        assert.match(error.message, /providers\.json is not valid JSON/)
        assert.doesNotMatch(`${error.stack} ${error.cause}`, /secret/)
        return true
      },
    )
  }
})

test('a connection’s revision changes only with its URL or credentials', async () => {
  const connection = { protocol: 'rest', baseUrl: 'https://rail.bank.example', key: 'secret-key' }
  const revisionOf = async (change: object) => {
    const connectors = openConnectors(write({ slb001: { ...connection, ...change } }), {
      seals,
      baseUrl,
      simulatorUrl,
    })
    await connectors.close()
    return connectors.revisionOf('slb001', 'live')
  }
  const revision = await revisionOf({})
  for (const manner of [
    { timeoutMs: 1 },
    { maxPerSecond: 1, maxAtOnce: 1 },
    { collections: { maxAtOnce: 1 } },
    { callbackKey: 'k'.repeat(32) },
    { statesAmounts: false },
    { share: 100 },
    { status: 'closed' },
  ])
    assert.equal(await revisionOf(manner), revision, JSON.stringify(manner))
  for (const identity of [{ baseUrl: 'https://other.bank.example' }, { key: 'another-key' }])
    assert.notEqual(await revisionOf(identity), revision, JSON.stringify(identity))
})

test('a guessable key for reports is refused and not shown', () => {
  const rest = { protocol: 'rest', baseUrl: 'https://rail.bank.example', key: 'secret-key' }
  for (const callbackKey of ['secret-key', '', 'secret key '.repeat(4), 's'.repeat(201), 7]) {
    const error = errorOf({ slb001: { ...rest, callbackKey } })
    assert.match(error, /connections\.slb001\.callbackKey/)
    assert.doesNotMatch(error, /secret/)
  }
  assert.match(
    errorOf({ card: { ...rest, protocol: 'acquirer', callbackKey: 'k'.repeat(32) } }),
    /callbackKey/,
  )
})

function write(connections: unknown, providers: Provider[] = []) {
  writeFileSync(file, JSON.stringify({ providers, connections }))
  return loadCatalogue(file)
}

function errorOf(connections: unknown, providers?: Provider[]): string {
  try {
    write(connections, providers)
  } catch (error) {
    assert(error instanceof CatalogueError, String(error))
    return error.message
  }
  assert.fail(`${JSON.stringify(connections)} was accepted`)
}

async function listen(server: Server): Promise<{ server: Server; url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
