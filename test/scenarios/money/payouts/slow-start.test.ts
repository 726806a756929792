import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import {
  airtelSecrets,
  type Handler,
  startAirtel,
  statusOf,
} from '../../../../packages/rails/airtel-money/testing.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'

/**
 * Longer than the time limit for sending, split over two responses, because a token and a key are fetched
 * before the first payout.
 */
const responseMs = 3_000
const payouts = 24

const airtel = await startAirtel()
const folder = mkdtempSync(path.join(tmpdir(), 'slow-start-'))
const providersFile = path.join(folder, 'providers.json')
const connection = { protocol: 'airtel-money', baseUrl: airtel.baseUrl, ...airtelSecrets }
writeFileSync(providersFile, JSON.stringify({ connections: { 'airtel-ug': connection } }))
const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile } })
after(async () => {
  await t.close()
  await airtel.close()
  rmSync(folder, { recursive: true })
})

const slowly =
  (handle: Handler): Handler =>
  (request, response) =>
    void later(responseMs).then(() => handle(request, response))

test('payouts that start concurrently just after start-up at a slow rail all wait and are sent once, and none fails', async () => {
  const sent: string[] = []
  let [inFlight, mostBeforeFirst] = [0, 0]
  let isFirstAccepted = false
  airtel.onToken = slowly(airtel.onToken)
  airtel.onKey = slowly(airtel.onKey)
  airtel.on = (request, response) => {
    if (request.method !== 'POST') return response.end(JSON.stringify({ status: statusOf('DP00900001006') }))
    const { id } = JSON.parse(request.text).transaction
    sent.push(id)
    inFlight++
    if (!isFirstAccepted) mostBeforeFirst = Math.max(mostBeforeFirst, inFlight)
    slowly(() => {
      inFlight--
      isFirstAccepted = true
      const transaction = { id, reference_id: 'r', status: 'TS' }
      response.end(JSON.stringify({ data: { transaction }, status: statusOf('DP00900001001') }))
    })(request, response)
  }
  const merchant = await t.merchant({ environment: 'live', country: 'UG' })
  await fund(t.app.parts, merchant.scope, 1_000_000, { currency: 'UGX' })
  const destination = { type: 'momo', providerId: 'airtel-ug', phoneNumber: '+256752604392' }
  const made = await Promise.all(
    Array.from({ length: payouts }, () =>
      merchant.call('POST', '/v1/payouts', { amount: { currency: 'UGX', value: 1_000 }, destination }),
    ),
  )
  assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([200]))
  const states = () =>
    t.app.parts.db.query<{ state: string; reference: string }>(sql`
      select state, reference from instructions where space_id = ${merchant.scope.spaceId}`)
  const ended = await until(async () => {
    const all = await states()
    return all.every(({ state }) => state !== 'created' && state !== 'submitting') && all
  })
  assert.deepEqual(new Set(ended.map(({ state }) => state)), new Set(['submitted']))
  assert.deepEqual(sent.toSorted(), ended.map(({ reference }) => reference).toSorted())
  // A PIN is tried in one request at a time until it is known to be correct.
  assert.equal(mostBeforeFirst, 1)
})
