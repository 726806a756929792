import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Scope } from '../../platform/scope.ts'
import { createSeals } from '../../platform/seals.ts'
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
  test('is a UUID v4, equal for equal purposes and different for others', async () => {
    const one = (...args: [purpose: string, of?: Scope, by?: typeof seals]) =>
      newOnes(new Set(), [args[0]], args[1], args[2]).then(([reference]) => reference!)
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

  test('is new for a recurring purpose, but the same as before after the database was restored', async () => {
    const books = new Set<string>()
    const references: string[] = []
    for (let i = 0; i < 40; i++) {
      const [again, other] = await newOnes(books, ['payout k', `payout ${i}`])
      books.add(again!).add(other!)
      references.push(again!)
    }
    assert.equal(books.size, 80)
    // A backup from when there were ten references.
    const restored = new Set(references.slice(0, 10))
    for (const reference of references.slice(10)) {
      const [again] = await newOnes(restored, ['payout k'])
      assert.equal(again, reference)
      restored.add(again)
    }
  })

  test('is unique for each of several equal purposes in one batch, which get the next free ones', async () => {
    const alone: string[] = []
    const books = new Set<string>()
    for (let i = 0; i < 5; i++) {
      const [reference] = await newOnes(books, ['payment_link l'])
      alone.push(reference!)
      books.add(reference!)
    }
    const purposes = ['payment_link l', 'payment_link l', 'payment_link m', 'payment_link l']
    const [first, second, other, third] = await newOnes(new Set(alone.slice(1, 2)), purposes)
    assert.deepEqual([first, second, third], [alone[0], alone[2], alone[3]])
    assert.ok(!alone.includes(other!))
  })
})
