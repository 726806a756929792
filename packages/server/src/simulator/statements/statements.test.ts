import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  fetchStatement,
  startTestSimulator,
  type TestSimulator,
} from '../../../../../test/support/simulator.ts'
import { railKey } from '../../../../rails/rest/test-keys.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { type Connectors, openConnectors } from '../../rails/connections/connectors.ts'

const headings = 'date,reference,external_id,type,amount,currency,account,status,transaction_id'

let rail: TestSimulator
let connectors: Connectors
before(async () => {
  rail = await startTestSimulator()
  const baseUrl = new URL(rail.callbackUrl).origin
  connectors = openConnectors(loadCatalogue(), { seals: rail.seals, simulatorUrl: rail.url, baseUrl })
})
after(async () => {
  await connectors.close()
  await rail.close()
})

test('a statement contains exactly the transactions, in and out, oldest first', async () => {
  const from = rail.clock.now()
  const paid = await collect('m17', '+23276123456', '288168827753')
  await rail.clock.advance(300)
  const paidOut = await disburse('m17', '+23276123457')
  for (const account of ['+23276123001', '+23276123003', '+23276123008']) await disburse('m17', account)
  await disburse('m18', '+23276123456')
  await rail.clock.advance(300)
  const to = rail.clock.now()
  await disburse('m17', '+23276123456')
  await rail.clock.advance(300)

  const statement = await statementOf('m17', { from, to: new Date(to.getTime() + 1) })
  const [first, ...lines] = statement.split('\n')
  assert.equal(first, headings)
  assert.equal(lines.pop(), '')
  const [firstMoved, secondMoved] = [300, 600].map((ms) => new Date(from.getTime() + ms).toISOString())
  assert.deepEqual(
    lines.map((line) => line.replace(/,[0-9]{10}$/, '')),
    [
      `${firstMoved},${paid},288168827753,collection,15.00,SLE,23276123456,SUCCESSFUL`,
      `${secondMoved},${paidOut},${paidOut},disbursement,15.00,SLE,23276123457,SUCCESSFUL`,
    ],
  )
  assert.equal(await statementOf('m17', { from: to, to: from }), `${headings}\n`)
  const answer = await getStatement(
    `m17?from=${from.toISOString()}&to=${new Date(to.getTime() + 1).toISOString()}`,
  )
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
  assert.equal(await answer.text(), statement)
})

test('a payment that was reported as failed but succeeded later is included once', async () => {
  const from = rail.clock.now()
  const reference = await disburse('dw001', 'fatu012')
  await rail.clock.advance(10_000)
  const statement = await statementOf('dw001', { from, to: rail.clock.now() })
  assert.equal(statement.split(reference).length - 1, 2, 'reference and external id of one line')
})

test('adjacent periods omit nothing and repeat nothing, because their end is exclusive', async () => {
  const from = rail.clock.now()
  await disburse('mtn-bj', '+22901234567', 'XOF')
  await rail.clock.advance(300)
  const moved = rail.clock.now()
  const [before, after] = [
    await statementOf('mtn-bj', { from, to: moved }),
    await statementOf('mtn-bj', { from: moved, to: new Date(moved.getTime() + 1) }),
  ]
  assert.equal(before, `${headings}\n`)
  assert.match(after, /,disbursement,1500,XOF,/)
})

test('a field with separators is quoted', async () => {
  const from = rail.clock.now()
  await disburse('dw001', 'a,"b"')
  await rail.clock.advance(300)
  const to = new Date(rail.clock.now().getTime() + 1)
  assert.match(await statementOf('dw001', { from, to }), /,SLE,"a,""b""",SUCCESSFUL,/)
})

const statementOf = (providerId: string, period: { from: Date; to: Date }) =>
  fetchStatement(rail.url, rail.seals, providerId, period)

for (const [what, path, status, code, key] of [
  ['a wrong key', 'm17?from=2026-01-01&to=2026-01-02', 401, 'key_invalid', 'wrong'],
  ['an unknown provider', 'nope?from=2026-01-01&to=2026-01-02', 404, 'no_such_rail'],
  ['no period', 'm17', 400, 'request_invalid'],
  ['only half of a period', 'm17?from=2026-01-01', 400, 'request_invalid'],
  ['a nonexistent day', 'm17?from=2026-02-30&to=2026-03-01', 400, 'request_invalid'],
  ['an invalid time', 'm17?from=2026-01-01T00:00:00&to=2026-01-02', 400, 'request_invalid'],
  ['two start times', 'm17?from=2026-01-01&from=2026-01-01&to=2026-01-02', 400, 'request_invalid'],
] as const)
  test(`GET /simulator/statements/{provider}: a request with ${what} is refused: ${code}`, async () => {
    const answer = await getStatement(path, key)
    assert.deepEqual([answer.status, await answer.json()], [status, { code }])
  })

const getStatement = (path: string, key = railKey(rail.seals)) =>
  fetch(`${rail.url}/statements/${path}`, { headers: { authorization: `Bearer ${key}` } })

const asked = () => ({
  reference: randomUUID(),
  amount: 1500n,
  currency: 'SLE',
  description: 'Wages',
  callbackUrl: `${rail.callbackUrl}/1`,
  mayLeave: () => true,
})

async function disburse(providerId: string, payeeAccount: string, currency = 'SLE'): Promise<string> {
  const disbursement = { ...asked(), currency, payeeAccount }
  await connectors.findConnector(providerId, 'test')?.disburse?.(disbursement)
  return disbursement.reference
}

async function collect(providerId: string, payerAccount: string, orderNumber: string): Promise<string> {
  const collection = { ...asked(), payerAccount, orderNumber, returnUrl: null }
  await connectors.findConnector(providerId, 'test')?.collect(collection)
  return collection.reference
}
