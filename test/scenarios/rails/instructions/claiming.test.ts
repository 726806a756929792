import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Environment } from '../../../../packages/server/src/platform/scope.ts'
import { claimWaiting } from '../../../../packages/server/src/rails/instructions/store.ts'
import { startTestApp } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { copyFromTest } from '../../../support/rows.ts'

const t = await startTestApp({ work: false })
after(() => t.close())
const { db } = t.app.parts

test('a queue claims only instructions of its own environment, kind, provider and connections', async () => {
  const { call, scope } = await t.merchant()
  await fund(t.app.parts, scope, 10_000)
  const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
  const { status } = await call('POST', '/v1/payouts', {
    amount: { currency: 'SLE', value: 100 },
    destination,
  })
  assert.equal(status, 200)
  await copyFromTest(db, { ...scope, environment: 'live' }, { instructions: { connection: 'bank' } })
  const claimed = async (environment: Environment, more: object = {}, unusable: string[] = []) => {
    const queue = { kind: 'disburse', environment, providerId: 'm17', ...more } as const
    const found = await db.transaction((tx) =>
      claimWaiting(tx, queue, { acceptsNew: true, unusable }, [scope.spaceId], 10),
    )
    return found.map(({ scope: { environment }, connection }) => [environment, connection])
  }
  assert.deepEqual(await claimed('test'), [['test', null]])
  assert.deepEqual(await claimed('live'), [['live', 'bank']])
  assert.deepEqual(await claimed('live', {}, ['bank']), [])
  assert.deepEqual(await claimed('live', {}, ['another']), [['live', 'bank']])
  assert.deepEqual(await claimed('test', { kind: 'refund' }), [])
  assert.deepEqual(await claimed('test', { providerId: 'm18' }), [])
})
