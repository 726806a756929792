import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultDelays, pageLifeMs, planFor, planForPage, planForPayee } from './behaviour.ts'

/**
 * Reports are sent `after` this many ms, this many `times`. `lost`: the response is lost; `refused`: the rail
 * does not accept the request.
 */
type Expected = { is: 'accept' | 'drop' | 'fail'; says: [after: number, what: string, callbacks: number][] }
const takes = (...says: Expected['says']): Expected => ({ is: 'accept', says })

const reserved: [digits: string, ofPayer: Expected, ofPayee?: Expected][] = [
  ['456', takes([300, 'SUCCESSFUL', 1])],
  ['001', takes([300, 'NOT_ENOUGH_FUNDS', 1])],
  ['002', takes([300, 'APPROVAL_REJECTED', 1]), takes([300, 'PAYEE_NOT_ALLOWED_TO_RECEIVE', 1])],
  ['003', takes([60_000, 'EXPIRED', 1])],
  ['004', takes([30_000, 'SUCCESSFUL', 1])],
  ['005', takes([300, 'SUCCESSFUL', 3])],
  ['006', takes([300, 'SUCCESSFUL', 0])],
  ['007', { is: 'drop', says: [[300, 'SUCCESSFUL', 1]] }],
  ['008', { is: 'fail', says: [] }],
  ['009', takes([300, 'SENDER_ACCOUNT_NOT_ACTIVE', 1]), takes([300, 'ACCOUNTHOLDER_NOT_ACTIVE', 1])],
  ['010', takes([300, 'PAYER_NOT_FOUND', 1]), takes([300, 'PAYEE_NOT_FOUND', 1])],
  ['011', takes([300, 'PAYER_LIMIT_REACHED', 1]), takes([300, 'PAYEE_LIMIT_REACHED', 1])],
  ['012', takes([300, 'COULD_NOT_PERFORM_TRANSACTION', 1], [5_300, 'SUCCESSFUL', 1])],
]

const shown = ({ submit, outcomes }: ReturnType<typeof planFor>): Expected => ({
  is: submit,
  says: outcomes.map(({ afterMs, status, reason, callbacks }) => [afterMs, reason ?? status, callbacks]),
})

for (const [digits, ofPayer, ofPayee = ofPayer] of reserved) {
  test(`a payer …${digits}`, () => {
    assert.deepEqual(shown(planFor(`23276123${digits}`, 'approve', defaultDelays)), ofPayer)
  })
  test(`a payee …${digits}`, () => {
    assert.deepEqual(shown(planForPayee(`23276123${digits}`, defaultDelays)), ofPayee)
  })
  test(`a payer …${digits} on the rail’s page`, () => {
    const plan = planForPage(`23276123${digits}`, defaultDelays)
    const waits = takes([pageLifeMs, 'EXPIRED', 1])
    assert.deepEqual(shown(plan), ofPayer.is === 'accept' ? waits : ofPayer)
    assert.equal(plan.waitsForUser, ofPayer.is !== 'fail')
  })
}

test('the user of a handset set to ask decides, except for reserved numbers', () => {
  const asks = planFor('23276123456', 'ask', defaultDelays)
  assert.deepEqual([asks.waitsForUser, shown(asks)], [true, takes([60_000, 'EXPIRED', 1])])
  assert.equal(planFor('23276123001', 'ask', defaultDelays).waitsForUser, false)
})
