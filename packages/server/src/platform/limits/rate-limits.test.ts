import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createMemoryRateLimiter, type Exceeded, type Limit, perSecond } from './rate-limits.ts'

const epoch = 1_790_000_000_000
const one = (atMost: number): Limit => perSecond('only', 'k', atMost)
const steps = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.nat(3_000)), { maxLength: 200 })
const rates = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1_000 }))

const take = (limiter: ReturnType<typeof createMemoryRateLimiter>, limits: Limit[], now: number) =>
  limiter.take(limits, now) as Exceeded | undefined

describe('a limit', () => {
  test('allows one second’s worth in a burst and nothing more, at any rate', () => {
    for (let perSecond = 1; perSecond <= 1_000; perSecond++) {
      const limiter = createMemoryRateLimiter()
      for (let i = 0; i < perSecond; i++)
        assert.equal(take(limiter, [one(perSecond)], epoch), undefined, `${perSecond}`)
      assert.ok(take(limiter, [one(perSecond)], epoch))
    }
  })

  test('never allows more than its rate and one burst in any window', () => {
    fc.assert(
      fc.property(rates, steps, (rate, waits) => {
        const limiter = createMemoryRateLimiter()
        let now = epoch
        const passed = waits.map((wait) => (now += wait)).filter((at) => !take(limiter, [one(rate)], at))
        for (let first = 0; first < passed.length; first++)
          for (let last = first; last < passed.length; last++) {
            const allowed = rate + Math.floor(((passed[last]! - passed[first]!) * rate) / 1000 + 1e-6)
            assert.ok(last - first + 1 <= allowed)
          }
      }),
    )
  })

  test('allows all requests at its rate', () => {
    fc.assert(
      fc.property(rates, fc.nat(1e9), (perSecond, offset) => {
        const limiter = createMemoryRateLimiter()
        for (let i = 0; i < 500; i++) {
          const at = epoch + offset + Math.ceil((i * 1000) / perSecond)
          assert.equal(take(limiter, [one(perSecond)], at), undefined)
        }
      }),
    )
  })

  test('returns a wait after which, and not before, the request passes', () => {
    fc.assert(
      fc.property(rates, (perSecond) => {
        const limiter = createMemoryRateLimiter()
        while (!take(limiter, [one(perSecond)], epoch));
        const { waitMs } = take(limiter, [one(perSecond)], epoch)!
        const soon = Math.ceil(waitMs - 1e-6)
        assert.ok(take(limiter, [one(perSecond)], epoch + soon - 1))
        assert.equal(take(limiter, [one(perSecond)], epoch + soon), undefined)
      }),
    )
  })

  test('is fully restored after a pause, however often old entries were removed', () => {
    const limiter = createMemoryRateLimiter()
    for (let round = 0; round < 5; round++) {
      const now = epoch + round * 11_000
      assert.deepEqual(
        [1, 2, 3].map(() => take(limiter, [one(2)], now)?.name),
        [undefined, undefined, 'only'],
      )
    }
  })
})

describe('several limits', () => {
  const limit = fc.record({ name: fc.constantFrom('a', 'b', 'c'), perSecond: fc.integer({ min: 1, max: 4 }) })
  const asked = fc.uniqueArray(limit, { selector: ({ name }) => name, minLength: 1, maxLength: 3 })

  test('are charged together or not at all, and the longest wait (the first if they are equal) is returned', () => {
    fc.assert(
      fc.property(
        asked,
        fc.array(fc.tuple(fc.nat(400), fc.subarray(['a', 'b', 'c'], { minLength: 1 })), { maxLength: 40 }),
        (known, calls) => {
          const together = createMemoryRateLimiter()
          // The model: the time until which each key's allowance is used up, in exact thousandths of its
          // interval.
          const spent = new Map<string, number>()
          let now = epoch
          for (const [wait, names] of calls) {
            now += wait
            const limits = known
              .filter(({ name }) => names.includes(name))
              .map(({ name, perSecond: atMost }) => ({ name, key: name, atMost, perMs: 1_000 }))
            const waits = limits.map(({ key, atMost: perSecond }) => ({
              key,
              units: Math.max((spent.get(key) ?? 0) - (now - epoch) * perSecond, 0) + 1000 - 1000 * perSecond,
              perSecond,
            }))
            const worst = waits
              .filter(({ units }) => units > 0)
              .toSorted((a, b) => b.units / b.perSecond - a.units / a.perSecond)[0]
            assert.equal(take(together, limits, now)?.name, worst?.key)
            if (!worst)
              for (const { key, perSecond } of waits)
                spent.set(key, Math.max(spent.get(key) ?? 0, (now - epoch) * perSecond) + 1000)
          }
        },
      ),
      { numRuns: 10_000 },
    )
  })
})
