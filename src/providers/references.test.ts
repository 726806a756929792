import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Scope } from '../platform/scope.ts'
import { createSeals } from '../platform/seals.ts'
import { newReferences } from './references.ts'

const seals = createSeals('a secret key that only this test knows')
const scope: Scope = { spaceId: '0193a5b4-0000-7000-8000-000000000001', environment: 'test' }

const newOnes = (books: Set<string>, purposes: string[], of = scope, by = seals) =>
  newReferences(
    by,
    purposes.map((purpose) => ({ scope: of, purpose })),
    async (some) => new Set(some.map(({ reference }) => reference).filter((one) => books.has(one))),
  )

describe('a rail reference', () => {
  test('is a UUID of version 4, the same for the same, and another for all else', async () => {
    const one = (...given: [purpose: string, of?: Scope, by?: typeof seals]) =>
      newOnes(new Set(), [given[0]], given[1], given[2]).then(([reference]) => reference!)
    const reference = await one('payout k')
    assert.match(reference, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(await one('payout k'), reference)
    const others = [
      await one('payout K'),
      await one('checkout_session k'),
      await one('payout k', { ...scope, environment: 'live' }),
      await one('payout k', { ...scope, spaceId: '0193a5b4-0000-7000-8000-000000000002' }),
      await one('payout k', scope, createSeals('another secret key')),
    ]
    assert.equal(new Set([reference, ...others]).size, 6)
  })

  test('is a new one for what comes again, the same again where the books have forgotten it', async () => {
    const books = new Set<string>()
    const told: string[] = []
    for (let i = 0; i < 40; i++) {
      const [again, other] = await newOnes(books, ['payout k', `payout ${i}`])
      books.add(again!).add(other!)
      told.push(again!)
    }
    assert.equal(books.size, 80)
    // A backup from when there were ten.
    const restored = new Set(told.slice(0, 10))
    for (const reference of told.slice(10)) {
      const [again] = await newOnes(restored, ['payout k'])
      assert.equal(again, reference)
      restored.add(again)
    }
  })
})
