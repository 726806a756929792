import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holderOf } from './account-holders.ts'

const holders: [account: string, state: 'active' | 'blocked' | 'missing'][] = [
  ['23276123456', 'active'],
  ['0011223344AB', 'active'],
  ['fatu@safulpay', 'active'],
  ['', 'active'],
  ['009', 'blocked'],
  ['23276123009', 'blocked'],
  ['23276123010', 'missing'],
  ['fatu010', 'missing'],
  ['23276009456', 'active'],
  ['23276010456', 'active'],
]

for (const [account, state] of holders)
  test(`an account “${account}” is ${state}`, () => {
    const holder = holderOf(account)
    assert.equal(holder ? (holder.isActive ? 'active' : 'blocked') : 'missing', state)
    assert.deepEqual(holderOf(account), holder, 'always the same')
    if (holder) assert.match(`${holder.givenName} ${holder.familyName}`, /^\p{L}+ \p{L}+$/u)
  })

test('different accounts mostly have different holders', () => {
  const names = Array.from({ length: 100 }, (_, i) =>
    Object.values(holderOf(`2327612${1_000 + i * 11}`) ?? {}),
  )
  assert.ok(new Set(names.map(String)).size > 70)
})
