import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { parseFields } from '@pesewa/connector-kit'
import { readReport } from './report.ts'

const key = 'secret-callback-key'
const id = '3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f'
const hashed = (text: string, by = key) => createHmac('sha256', by).update(text).digest('base64')

/** Returns a transaction with its keys in Airtel's own order, and with braces and quotes within the text. */
const transaction = (status = 'TS') =>
  `{"id":"${id}","message":"Paid {UGX} 5,000 to \\"Café\\" Trans ID MP1.","status_code":"${status}", "airtel_money_id":"MP1"}`

const read = (body: string) => readReport(key, received(body))

const done = {
  outcome: 'done',
  amount: undefined,
  currency: undefined,
  isAmountUnstated: true,
  railTransaction: 'MP1',
}

for (const [what, hash] of [
  ['the transaction', hashed(transaction())],
  ['the transaction with its name', hashed(`{"transaction":${transaction()}}`)],
])
  test(`a callback is authenticated by the hash of ${what}, over the bytes received`, () => {
    for (const body of [
      `{"transaction":${transaction()},"hash":"${hash}"}`,
      `{ "hash": "${hash}", "transaction" : ${transaction()} }`,
    ]) {
      const report = read(body)
      assert.deepEqual([report.isAuthentic, report.isHint, report.reference], [true, false, id])
      assert.deepEqual(report.verdictOn?.('collect'), done)
      assert.equal(report.verdictOn?.('disburse'), undefined)
    }
  })

test('a callback about a failed or pending payment has no verdict; the enquiry gives the reason', () => {
  for (const status of ['TF', 'TIP', 'TA', '']) {
    const report = read(`{"transaction":${transaction(status)},"hash":"${hashed(transaction(status))}"}`)
    assert.deepEqual([report.isAuthentic, report.verdictOn?.('collect')], [true, undefined])
  }
})

const proof = hashed(transaction())
for (const [what, body, ours = key] of [
  ['another key’s hash', `{"transaction":${transaction()},"hash":"${hashed(transaction(), 'other')}"}`],
  ['a hash of another transaction', `{"transaction":${transaction('TF')},"hash":"${proof}"}`],
  ['no hash', `{"transaction":${transaction()}}`],
  ['a hash that is not text', `{"transaction":${transaction()},"hash":7}`],
  ['one more space than was hashed', `{"transaction":${transaction().replace(',', ', ')},"hash":"${proof}"}`],
  ['no key configured', `{"transaction":${transaction()},"hash":"${proof}"}`, ''],
] as [string, string, string?][])
  test(`a callback with ${what} is a hint about our reference`, () => {
    const report = readReport(ours || undefined, received(body))
    assert.deepEqual([report.isAuthentic, report.isHint, report.reference], [false, true, id])
  })

test('only the authenticated part of the body is read', () => {
  const other = transaction().replace(id, '00000000-0000-4000-8000-000000000000')
  const body = `{"transaction":${transaction()},"transaction":${other},"hash":"${proof}"}`
  assert.deepEqual([read(body).isAuthentic, read(body).reference], [true, id])
})

test('an unreadable callback is a hint about nothing', () => {
  for (const body of [
    '',
    '{',
    '[]',
    '{"transaction":7}',
    '{"transaction":{"id":7}}',
    `"${'{'.repeat(50_000)}"`,
  ])
    assert.deepEqual([read(body).isAuthentic, read(body).reference], [false, undefined], body.slice(0, 20))
})

test('the response is the one that Airtel expects', () => {
  assert.deepEqual(read('{}').answer, {
    status: 200,
    contentType: 'application/json',
    body: '{"code":200,"status":"SUCCESS"}',
  })
})

function received(body: string): Parameters<typeof readReport>[1] {
  const rawBody = Buffer.from(body)
  return { method: 'POST', path: '/', headers: {}, address: '', rawBody, fields: parseFields(body) }
}
