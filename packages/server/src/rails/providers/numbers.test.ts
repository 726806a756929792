import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { AccountHolder, Connector } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import { numberingPlans } from '@pesewa/values/phones'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { loadCatalogue } from '../connections/catalogue.ts'
import type { Connectors } from '../connections/connectors.ts'
import { findWrongNetwork, openNumbers, providersOn } from './numbers.ts'

// MTN and Telecel in Ghana, which has number portability. The rail of MTN's connection predicts the provider of
// both.
const folder = mkdtempSync(path.join(tmpdir(), 'numbers-'))
after(() => rmSync(folder, { recursive: true }))
const file = path.join(folder, 'providers.json')
const ghana = must(loadCatalogue().find('mtn-gh'), 'MTN in Ghana')
const named = (as: string) => ({ reachedBy: [{ protocol: ghana.protocol, as }] })
const { network: _, ...anyNetwork } = ghana
writeFileSync(
  file,
  JSON.stringify({
    providers: [
      { ...ghana, ...named('MTN_GHA') },
      {
        ...ghana,
        ...named('TELECEL_GHA'),
        providerId: 'telecel-gh',
        name: 'Telecel Cash',
        network: { codes: ['62002'] },
      },
      { ...anyNetwork, providerId: 'any-gh' },
    ],
  }),
)
const catalogue = loadCatalogue(file)
const provider = (id: string) => must(catalogue.find(id), id)
const [ofMtn, ofTelecel] = ['+233241234567', '+233201234567']

type Rail = Pick<Connector, 'predictProvider' | 'verifyAccount'>

/** Creates a number service with a rail for Ghana's providers only, and a log of its calls. */
function numbersWith(rail: Rail, limitMs?: number) {
  const railCalls: string[] = []
  const { predictProvider, verifyAccount } = rail
  const watched: Rail = {
    ...(predictProvider && {
      predictProvider: (phone) => {
        railCalls.push(`predict ${phone}`)
        return predictProvider(phone)
      },
    }),
    ...(verifyAccount && {
      verifyAccount: (phone) => {
        railCalls.push(`verify ${phone}`)
        return verifyAccount(phone)
      },
    }),
  }
  const findConnector = (id: string) => (id.endsWith('-gh') ? watched : undefined)
  const findRoutes = (id: string) => {
    const connector = findConnector(id)
    return connector
      ? [{ connection: id, connector: connector as Connector, isOpen: true, share: undefined }]
      : []
  }
  const parts = {
    catalogue,
    connectors: { findConnector, findRoutes } as Partial<Connectors> as Connectors,
    metrics: createMetrics(),
    log: createLog('fatal'),
  }
  const numbers = openNumbers(parts, limitMs)
  const doubt = async (id: string, phone: string) => {
    const found = await numbers.doubt('test', provider(id), phone)
    return (
      found && [found.looksLike, found.providers.map(({ providerId }) => providerId).join(), found.isCertain]
    )
  }
  return { ...numbers, doubt, asked: railCalls }
}

const holder = (outcome: AccountHolder): Rail => ({ verifyAccount: async () => outcome })
const predicting = (name: string | undefined): Rail => ({ predictProvider: async () => name })
const found = { outcome: 'found', holderName: 'Aminata Kamara', isActive: true } as const

test('without number portability, the prefix determines the provider, and no rail is called', async () => {
  const { doubt, asked } = numbersWith({})
  assert.deepEqual(await doubt('m17', '+23277123456'), ['Africell', 'm18', true])
  assert.deepEqual(await doubt('m18', '+23276123456'), ['Orange', 'm17', true])
  assert.deepEqual(await doubt('m17', '+23231123456'), ['QCell', '', true])
  for (const [id, phone] of [
    ['m17', '+23276123456'],
    ['m18', '+23288123456'],
    ['m17', '+23200000001'],
  ] as const) {
    assert.equal(await doubt(id, phone), undefined)
    assert.equal(findWrongNetwork(provider(id), phone), undefined)
  }
  assert.equal(findWrongNetwork(provider('m17'), '+23277123456')?.name, 'Africell')
  assert.deepEqual(asked, [])
})

test('with number portability, a prefix is never certain', async () => {
  assert.deepEqual(await numbersWith({}).doubt('mtn-gh', ofTelecel), ['Telecel', 'telecel-gh', false])
  assert.equal(findWrongNetwork(provider('mtn-gh'), ofTelecel), undefined)
})

test('a rail is called only if choice and prefix disagree, and its prediction takes precedence', async () => {
  for (const [name, expected] of [
    ['MTN_GHA', undefined],
    ['TELECEL_GHA', ['Telecel Cash', 'telecel-gh', false]],
    ['UNHEARD_OF', ['Telecel', 'telecel-gh', false]],
    [undefined, ['Telecel', 'telecel-gh', false]],
  ] as const) {
    const { doubt, asked } = numbersWith(predicting(name))
    assert.equal(await doubt('mtn-gh', ofMtn), undefined)
    assert.deepEqual(asked, [])
    assert.deepEqual(await doubt('mtn-gh', ofTelecel), expected, name)
    assert.deepEqual(asked, [`predict ${ofTelecel}`])
  }
})

test('an account with the chosen provider removes the doubt; a missing account or an unclear response does not', async () => {
  for (const [rail, isSettled] of [
    [holder(found), true],
    [holder({ outcome: 'missing' }), false],
    [holder({ outcome: 'unknown', why: 'garbage' }), false],
  ] as const) {
    const { doubt, asked } = numbersWith(rail)
    assert.deepEqual(
      await doubt('mtn-gh', ofTelecel),
      isSettled ? undefined : ['Telecel', 'telecel-gh', false],
    )
    assert.deepEqual(asked, [`verify ${ofTelecel}`])
  }
})

test('a provider without a network accepts all numbers', async () => {
  const { doubt, asked } = numbersWith(predicting('MTN_GHA'))
  assert.equal(await doubt('any-gh', ofTelecel), undefined)
  assert.deepEqual(asked, [])
})

test('a slow rail delays no one and is called once; its response serves the next request', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { doubt, asked } = numbersWith({ predictProvider: () => promise }, 20)
  assert.deepEqual(await doubt('mtn-gh', ofTelecel), ['Telecel', 'telecel-gh', false])
  assert.deepEqual(await doubt('mtn-gh', ofTelecel), ['Telecel', 'telecel-gh', false])
  resolve('MTN_GHA')
  await promise
  assert.equal(await doubt('mtn-gh', ofTelecel), undefined)
  assert.deepEqual(asked, [`predict ${ofTelecel}`])
})

test('a failing rail is ignored, and only a limited number of predictions run at once', async () => {
  const failing = numbersWith({ predictProvider: () => Promise.reject(new Error('away')) })
  assert.deepEqual(await failing.doubt('mtn-gh', ofTelecel), ['Telecel', 'telecel-gh', false])
  const hanging = numbersWith({ predictProvider: () => new Promise(() => {}) }, 20)
  const many = Array.from({ length: 40 }, (_, i) => `+2332012345${i + 10}`)
  const doubts = await Promise.all(many.map((phone) => hanging.doubt('mtn-gh', phone)))
  assert(doubts.every((doubt) => doubt?.[0] === 'Telecel'))
  assert.equal(hanging.asked.length, 8)
})

test('a number is described by its network and the providers that hold its account', async () => {
  const described = async (rail: Rail, phone: string) => {
    const { network, providers } = await numbersWith(rail).describe('test', phone)
    return [network?.name, providers.map(({ providerId }) => providerId).join()]
  }
  assert.deepEqual(await described({}, '+23277123456'), ['Africell', 'm18'])
  assert.deepEqual(await described({}, '+23231123456'), ['QCell', ''])
  assert.deepEqual(await described({}, ofTelecel), ['Telecel', 'telecel-gh'])
  assert.deepEqual(await described(predicting('MTN_GHA'), ofTelecel), ['Telecel', 'mtn-gh'])
  assert.deepEqual(await described(predicting('MTN_GHA'), '+233999999999'), [undefined, 'mtn-gh'])
  assert.deepEqual(await described({}, '+4915112345678'), [undefined, ''])
})

test('every network of a shipped provider is a known network in its country', () => {
  for (const each of loadCatalogue().list('momo')) {
    if (!each.network) continue
    const plan = numberingPlans.find(({ country }) => country === each.country)
    if (!plan) continue
    const own = plan.networks.filter(({ codes }) => codes.some((code) => each.network?.codes.includes(code)))
    assert.equal(own.length, 1, each.providerId)
    assert(
      providersOn({ catalogue }, must(own[0], 'network')).some(
        ({ providerId }) => providerId === each.providerId,
      ),
    )
  }
})
