import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, mock, test } from 'node:test'
import { about } from '@pesewa/connector-kit/testing'
import { signingKey } from '../../../../packages/rails/pawapay/secrets.ts'
import { runCommand } from '../../../../packages/server/src/cli/command-line.ts'
import { testConnection } from '../../../../packages/server/src/cli/operator/connection-test.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { protocolNames } from '../../../../packages/server/src/rails/connections/protocols.ts'
import { callbackUrl } from '../../../../packages/server/src/rails/instructions/callback-url.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { urlOf } from '../../../support/program.ts'
import { loadOfRails } from '../../../support/rails.ts'
import { createPlant, nameOf, type SecretRail } from '../../../support/secret-rail.ts'

// Every secret of every protocol's connection is a unique value, and the rails echo all of them in every field
// of their responses. Everything that the program wrote and returned is then searched for them.

const secretRails = [...(await loadOfRails<{ secrets: SecretRail }>('secrets')).values()].map(
  ({ secrets }) => secrets,
)
const { plant, secrets } = createPlant()
const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'))
const providersFile = path.join(folder, 'providers.json')
const fileOf = ({ protocol }: SecretRail) => path.join(folder, protocol)

/** How the rails behave: they work normally, or fail and echo our secrets. */
type Manner = 'work' | 'issue no token' | 'refuse us' | 'send garbage' | 'hang up'
let manner: Manner = 'work'
let echoes = 0
const requests: string[] = []
const tokens = secretRails.map(({ protocol, tokenPath }) =>
  tokenPath === undefined ? '' : plant(`${protocol} issued token`),
)
// biome-ignore lint/suspicious/noExplicitAny: orders differ by rail
const orders = new Map<string, any>()

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const { url = '', method = '', headers } = request
  requests.push(`${url} ${JSON.stringify(headers)} ${text}`)
  const index = secretRails.findIndex(({ protocol }) => url.startsWith(`/${protocol}/`))
  const rail = secretRails[index]!
  const body = headers['content-type']?.includes('json') ? JSON.parse(text || '{}') : {}
  const reference = String(rail.referenceIn?.(headers, body) ?? nameOf(url))
  if (method !== 'GET' && reference) orders.set(reference, body)
  const isToken = rail.tokenPath !== undefined && url.includes(rail.tokenPath)
  if (manner === 'hang up' && !isToken) return void request.socket.destroy()
  if (manner === 'issue no token' && isToken) return echo(response, 400)
  if (manner === 'refuse us' && !isToken) return echo(response, 401)
  if (manner === 'send garbage' && !isToken) return echo(response, 200)
  const replied = rail.respond(
    { method, path: url.slice(rail.protocol.length + 1), reference, body },
    (ordered) => orders.get(ordered),
    tokens[index]!,
  )
  assert.ok(replied, url)
  response.writeHead(replied[0]).end(typeof replied[1] === 'string' ? replied[1] : JSON.stringify(replied[1]))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const railUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/**
 * Responds with a secret in every place where any rail has a code or text, and with a different secret each
 * time.
 */
function echo(response: ServerResponse, status: number): void {
  const all = [...secrets.values()]
  const s = all[echoes++ % all.length]!
  const code = { code: s, message: s, errorCode: s, error_code: s, response_code: s, result_code: s }
  const document = {
    ...{ ...code, type: s, error: s, error_description: s, status: s, errorMessage: s, errorCategory: s },
    ...{ ResponseCode: s, ResultCode: s, CheckoutRequestID: s, OriginatorConversationID: s, reason: code },
    ...{ failureReason: { failureCode: s, failureMessage: s }, status_code: s, rejectionReason: code },
    ...{ data: { ...code, status: s, reference: s, gateway_response: s, transaction: { status: s, id: s } } },
  }
  const isNested = echoes % 2 === 0
  response
    .writeHead(status, { 'x-secret': s, 'www-authenticate': `Bearer ${s}` })
    .end(JSON.stringify(isNested ? { ...document, status: code } : document))
}

function connectionOf(rail: SecretRail, isNew = false) {
  const fields = { ...rail.fields((name, form) => plant(isNew ? `new ${name}` : name, form)) }
  const place = rail.inFile.slice(0, -1).reduce((holder: object, name) => holder[name as never], fields)
  const last = rail.inFile.at(-1)!
  const inFile: string = place[last as never]
  Object.assign(place, { [`${last}File`]: fileOf(rail) })
  delete place[last as never]
  return {
    inFile,
    connection: { protocol: rail.protocol, baseUrl: `${railUrl}/${rail.protocol}`, ...fields },
  }
}

const connected = secretRails.map((rail) => ({ rail, ...connectionOf(rail) }))
for (const { rail, inFile } of connected) writeFileSync(fileOf(rail), inFile)
const connections = Object.fromEntries(
  connected.map(({ rail, connection }) => [
    rail.protocol,
    { ...connection, providers: [rail.providerId], timeoutMs: 5_000 },
  ]),
)
writeFileSync(providersFile, JSON.stringify({ connections }))

/** Captures standard error, which contains the log, and the program's responses. */
let logged = ''
const output: string[] = []
const write = fs.writeSync
mock.method(fs, 'writeSync', (fd: number, ...rest: [string]) => {
  if (fd !== 2) return write(fd, ...rest)
  logged += rest[0]
  return Buffer.byteLength(rest[0])
})
mock.method(process.stderr, 'write', (text: string | Uint8Array) => {
  logged += String(text)
  return true
})
const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile, LOG_LEVEL: 'debug' } })
const fetched = globalThis.fetch
mock.method(globalThis, 'fetch', async (...request: Parameters<typeof fetch>) => {
  const response = await fetched(...request)
  output.push(JSON.stringify([...response.headers]), await response.clone().text())
  return response
})
after(async () => {
  await t.close()
  mock.restoreAll()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})
const { db, connectors } = t.app.parts

const shops = await Promise.all(
  secretRails.map(async (rail) => {
    const merchant = await t.merchant({ environment: 'live', country: rail.country })
    await fund(t.app.parts, merchant.scope, 10_000_000, { currency: rail.currency })
    return { rail, merchant }
  }),
)
type Shop = (typeof shops)[0]

async function pay({ rail, merchant }: Shop, digit: number) {
  const lineItems = [{ name: 'Cloth', price: { currency: rail.currency, value: 100_000 } }]
  const made = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })
  const { redirectUrl, orderNumber } = made.body.result
  const payer = createPayer(redirectUrl)
  assert.equal((await payer.pay(rail.providerId, rail.account(digit))).status, 303, rail.protocol)
  const find = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${orderNumber}`)).body.result[0]
  await until(async () => (await find())?.status !== 'pending')
  await payer.look('/wait')
  return find
}

async function payOut({ rail, merchant }: Shop, digit: number): Promise<void> {
  const { phone, ...account } = rail.account(digit)
  const type = phone ? 'momo' : 'bank'
  const destination = { type, providerId: rail.providerId, ...(phone ? { phoneNumber: phone } : account) }
  const amount = { currency: rail.currency, value: 50_000 }
  const { status, body } = await merchant.call('POST', '/v1/payouts', { amount, destination })
  assert.equal(status, 200, JSON.stringify(body))
  await until(
    async () =>
      (await merchant.call('GET', `/v1/payouts/${body.result.id}`)).body.result.status !== 'pending',
  )
}

async function refund({ rail, merchant }: Shop, paymentId: string): Promise<void> {
  const amount = { currency: rail.currency, value: 10_000 }
  const { status, body } = await merchant.call('POST', '/v1/refunds', { paymentId, reason: 'other', amount })
  assert.equal(status, 200, JSON.stringify(body))
  await until(
    async () =>
      (await merchant.call('GET', `/v1/refunds/${body.result.id}`)).body.result.status !== 'pending',
  )
}

/** Completes a payment; calling its callback URL makes the service query. */
async function completed(shop: Shop): Promise<string> {
  const find = await pay(shop, 0)
  const { id } = await find()
  const { scope } = shop.merchant
  const url = callbackUrl(t.app.parts, { ownerType: 'payment', scope, id: readId(paymentIds, id)! })
  await until(async () => {
    await fetch(url, { method: 'POST' })
    return (await find()).status === 'completed'
  })
  return id
}

/** Does everything that a shop and an operator do with a connection, while its rail behaves in the current way. */
async function use(shop: Shop, paymentId: string, digit: number): Promise<void> {
  const { rail, merchant } = shop
  await pay(shop, digit)
  await refund(shop, paymentId)
  if (!rail.isPaidOut) return
  await payOut(shop, digit)
  const account = encodeURIComponent(Object.values(rail.account(digit))[0] ?? '')
  // If a rail gives no clear response, the service responds with 503.
  await fetch(`${t.baseUrl}/v1/provider-kyc/${rail.providerId}?accountId=${account}`, {
    headers: { authorization: `Bearer ${merchant.token}`, 'service-space-id': merchant.spaceId },
  })
}

/** Repeats each kind of call until every secret was echoed, and captures the results. */
async function callOften({ rail }: Shop, times = secrets.size): Promise<void> {
  const connector = connectors.findConnector(rail.providerId, 'live')!
  for (let i = 0; i < times; i++)
    output.push(
      JSON.stringify(
        await Promise.all([
          connector.queryCollection(
            about('5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0', { providerReference: 'ws_CO_1' }),
          ),
          connector.queryDisbursement?.(about('5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0')),
          connector.verifyAccount?.(Object.values(rail.account(7))[0] ?? ''),
          connector.balances?.(),
          connector.probe?.(),
        ]),
        (_key, value) => (typeof value === 'bigint' ? String(value) : value),
      ),
    )
}

test('every protocol is tested: secrets.ts of its rail lists its secrets', () => {
  assert.deepEqual(secretRails.map(({ protocol }) => protocol).toSorted(), protocolNames.toSorted())
})

test('every connection is used, with a working rail and with rails that echo our secrets', async () => {
  manner = 'issue no token'
  await Promise.all(shops.map((shop) => pay(shop, 1)))
  manner = 'work'
  const paid = await Promise.all(shops.map(completed))
  for (const [index, each] of (['refuse us', 'send garbage', 'work', 'hang up'] as const).entries()) {
    manner = each
    await Promise.all(shops.map((shop, i) => use(shop, paid[i]!, index + 2)))
    if (each === 'refuse us' || each === 'send garbage')
      await Promise.all(shops.map((shop) => callOften(shop)))
  }
  for (const { protocol } of secretRails)
    output.push(
      await fetched(`${t.baseUrl}/callbacks/connections/live/${protocol}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: [...secrets.values()] }),
      }).then((response) => response.text()),
    )
  assert.ok(requests.length > 100)
})

test('after a secret is replaced in its file, the new one is used, or the former one if the new one is rejected', async () => {
  const renewed = connected.map(({ rail, inFile }) => ({ rail, former: inFile, ...connectionOf(rail, true) }))
  for (const { rail, inFile, former } of renewed) writeFileSync(fileOf(rail), `${inFile}\n${former}\n`)
  await Promise.all(
    shops.map(async (shop, index) => {
      const forms = formsOf(renewed[index]!.inFile)
      await until(async () => {
        await connectors
          .findConnector(shop.rail.providerId, 'live')
          ?.queryCollection(about('5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0', { providerReference: 'ws_CO_1' }))
        return requests.some((request) => forms.some((form) => request.includes(form)))
      })
    }),
  )
  manner = 'refuse us'
  await Promise.all(shops.map((shop) => callOften(shop, 3)))
  manner = 'work'
})

test('the operator’s commands show no secrets', async () => {
  const environment = { ...process.env }
  Object.assign(process.env, {
    PROVIDERS_FILE: providersFile,
    DATABASE_URL: urlOf(t.database.connection),
    DATA_DIR: folder,
  })
  // Anything other than text comes from the test runner.
  const print = process.stdout.write.bind(process.stdout)
  const printed = mock.method(process.stdout, 'write', (text: string | Uint8Array) =>
    typeof text === 'string' ? output.push(text) > 0 : print(text),
  )
  try {
    for (const each of ['work', 'refuse us', 'send garbage', 'issue no token'] as const) {
      manner = each
      for (const command of [['connections', 'list'], ['float']])
        await runCommand(['node', 'pesewa', ...command, '--json'])
      const shown: unknown[] = []
      for (const { protocol } of secretRails)
        await testConnection(protocol).catch((error: Error) => shown.push(error.message))
      output.push(JSON.stringify(shown))
    }
  } finally {
    printed.mock.restore()
    process.exitCode = 0
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
    Object.assign(process.env, environment)
  }
  for (const part of ['a token', '{"connections":[{', '{"float":[{'])
    assert.ok(output.some((text) => text.includes(part)))
})

test('no secret is in the log, the database or any output', async () => {
  const [, ...pem] = signingKey.trim().split('\n')
  for (const [index, line] of pem.slice(0, -1).entries())
    secrets.set(`line ${index} of the signing key`, line)
  // every space: searches everything that is stored
  const tables = await db.query<{ name: string; content: string }>(sql`
    select table_schema || '.' || table_name as name,
      query_to_xml(format('select t::text from %I.%I t', table_schema, table_name), false, true, '')::text as content
    from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
  const stored = tables.map(({ content }) => content).join('')
  assert.ok(stored.includes('Order 42') && tables.length > 20, 'something was stored')
  assert.ok(logged.includes('received an ambiguous response from a provider'), 'something was logged')
  const sent = requests.join('\n')
  const found = [...secrets].flatMap(([what, secret]) =>
    [
      ...whereIn(logged, secret).map((line) => `in the log: ${line}`),
      ...output.filter((text) => holds(text, secret)).map((text) => `in the output: ${text.slice(0, 300)}`),
      ...tables.filter(({ content }) => holds(content, secret)).map(({ name }) => `in ${name}`),
    ]
      .slice(0, 3)
      .map((place) => `${what} ${place}`),
  )
  assert.deepEqual(found, [])
  for (const { inFile } of connected) assert.ok(holds(sent, inFile), 'every secret was used')
})

const whereIn = (text: string, secret: string) => text.split('\n').filter((line) => holds(line, secret))
const holds = (text: string, secret: string) => formsOf(secret).some((form) => text.includes(form))

/**
 * Returns the forms of a text: plain, in hexadecimal as PostgreSQL shows bytes, and in base64 at every possible
 * offset.
 */
function formsOf(secret: string): string[] {
  const encoded = [0, 1, 2].map((offset) =>
    Buffer.from(`${'.'.repeat(offset)}${secret}`)
      .toString('base64')
      .slice(offset && offset + 1, -4),
  )
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...encoded]
}
