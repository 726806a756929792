import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CannotCheck, ok, runChecks } from './checkup.ts'
import { judgeCertificate } from './network-checks.ts'
import { judgeSpace, sizeText } from './settings-checks.ts'

test('a check that hangs, fails or cannot be made keeps none of the others', async () => {
  const found = await runChecks(
    [
      { name: 'hangs', run: () => new Promise(() => {}) },
      { name: 'fails', run: async () => Promise.reject(new Error('broken\n    at file.ts:1')) },
      { name: 'cannot', run: async () => Promise.reject(new CannotCheck('needs the database')) },
      { name: 'works', run: async () => ok('well') },
    ],
    20,
  )
  assert.deepEqual(
    found.map(({ check, status, says }) => [check, status, says]),
    [
      ['hangs', 'problem', 'no answer within 0.02 s'],
      ['fails', 'problem', 'could not be checked: broken'],
      ['cannot', 'skipped', 'needs the database'],
      ['works', 'ok', 'well'],
    ],
  )
})

test('a certificate is judged by the days that it has left', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const left = (days: number) => new Date(now.getTime() + days * 86_400_000 + 1)
  const told = { 90: 'ok', 21: 'ok', 20: 'warning', 7: 'warning', 6: 'problem', 0: 'problem' }
  for (const [days, status] of Object.entries(told))
    assert.equal(judgeCertificate(left(Number(days)), undefined, now).status, status, days)
  assert.equal(judgeCertificate(left(90), 'it is for another name', now).status, 'problem')
})

test('a disk is judged by what is free', () => {
  const told = { 9999999999: 'ok', 4999999999: 'warning', 999999999: 'problem', 0: 'problem' }
  for (const [bytes, status] of Object.entries(told))
    assert.equal(judgeSpace('/data', BigInt(bytes)).status, status, bytes)
  const sizes = { 0: '0 B', 999: '999 B', 1500: '1.5 kB', 74512000000: '74.5 GB', 250000000000: '250 GB' }
  for (const [bytes, text] of Object.entries(sizes)) assert.equal(sizeText(BigInt(bytes)), text)
})
