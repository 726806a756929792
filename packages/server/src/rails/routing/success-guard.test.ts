import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionQueue } from '@pesewa/connector-kit'
import type { ProviderConnection } from '../connections/connections.ts'
import { openSuccessGuard } from './success-guard.ts'

const queue: ConnectionQueue = { kind: 'collect', environment: 'live', providerId: 'm17', connection: 'a' }

/** Counts how often a connection would be paused, using its own clock. */
function watch(automaticPause?: ProviderConnection['automaticPause']) {
  let now = 0
  let pauses = 0
  const connection = { name: 'a', protocol: 'rest', ...(automaticPause && { automaticPause }) }
  const transaction = async () => void pauses++
  const parts = { home: { transaction }, log: { error() {} }, metrics: { registry: {} } }
  const guard = openSuccessGuard(
    parts as unknown as Parameters<typeof openSuccessGuard>[0],
    { connectionsOf: () => [connection as ProviderConnection] },
    () => now,
  )
  const end = (times: number, isSuccess: boolean, of = queue) => {
    for (let i = 0; i < times; i++) guard.record(of, isSuccess)
  }
  return { end, pauses: () => pauses, pass: (ms: number) => void (now += ms) }
}

test('a connection without a rule is never paused', () => {
  const { end, pauses } = watch()
  end(1_000, false)
  assert.equal(pauses(), 0)
})

test('a connection is paused if too few of enough payments within the window succeed', () => {
  const { end, pauses, pass } = watch({ belowPercent: 50, atLeast: 10, windowMinutes: 5 })
  end(9, false)
  assert.equal(pauses(), 0, 'nine are not enough')
  pass(5 * 60_000)
  end(9, true)
  end(9, false)
  assert.equal(pauses(), 0, 'the first nine are forgotten, and half is sufficient')
  end(1, false)
  assert.equal(pauses(), 1)
  end(9, false)
  assert.equal(pauses(), 1, 'counting starts again')
})

test('payouts and test payments never cause a pause', () => {
  const { end, pauses } = watch({ belowPercent: 100 })
  end(100, false, { ...queue, kind: 'disburse' })
  end(100, false, { ...queue, environment: 'test' })
  assert.equal(pauses(), 0)
})
