import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountHolder } from '@pesewa/connector-kit'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { Refusal } from '../../platform/refusals.ts'
import { openKyc } from './kyc.ts'

const parts = { metrics: createMetrics(), log: createLog('fatal') }
const isAway = (error: unknown) => error instanceof Refusal && error.reason === 'service_unavailable'

test('a look-up waits no longer than the limit; an answer that arrives later serves the next look-up', async () => {
  const kyc = openKyc(parts, 20)
  const { promise, resolve } = Promise.withResolvers<AccountHolder>()
  const find = () => kyc.find('m17', 'live', () => promise, '+23276123456')
  await assert.rejects(find(), isAway)
  const holder = { outcome: 'found', holderName: 'Aminata Kamara', isActive: true } as const
  resolve(holder)
  await promise
  assert.deepEqual((await find()).holder, holder)
  assert.deepEqual(await find(), { holder, isCached: true })
})

test('a failed look-up frees its slot and is not cached', async () => {
  const kyc = openKyc(parts)
  for (let i = 0; i < 20; i++) {
    const fails = () => Promise.reject(new Error('a bug'))
    await assert.rejects(kyc.find('m17', 'live', fails, '+23276123456'), /a bug/)
    const unclear = async () => ({ outcome: 'unknown', why: 'garbage' }) as const
    await assert.rejects(kyc.find('m17', 'live', unclear, '+23276123456'), isAway)
  }
})
