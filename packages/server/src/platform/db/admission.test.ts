import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAdmission } from './admission.ts'

/** Begins work that runs until the test ends it. */
function begin(admission: ReturnType<typeof createAdmission>, spaceId: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = { hasBegun: false, end: resolve, done: Promise.resolve() }
  work.done = admission.within(spaceId, () =>
    admission.admit(async () => {
      work.hasBegun = true
      await promise
    }),
  )
  return work
}

const turns = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}
const begun = (works: { hasBegun: boolean }[]) => works.filter(({ hasBegun }) => hasBegun).length

describe('slots in a pool of 20', () => {
  test('are limited to 14 per Space, so that another Space gets one immediately', async () => {
    const admission = createAdmission(20)
    const greedy = Array.from({ length: 40 }, () => begin(admission, 'a'))
    const other = begin(admission, 'b')
    assert.deepEqual([begun(greedy), other.hasBegun], [14, true])
    for (const work of [...greedy, other]) work.end()
    await Promise.all([...greedy, other].map(({ done }) => done))
    assert.equal(begun(greedy), 40, 'the waiting ones had their turn')
  })

  test('go to the Space with the fewest when they become free', async () => {
    const admission = createAdmission(20)
    const first = Array.from({ length: 40 }, () => begin(admission, 'a'))
    const second = Array.from({ length: 40 }, () => begin(admission, 'b'))
    const newcomer = begin(admission, 'c')
    assert.deepEqual([begun(first), begun(second), newcomer.hasBegun], [14, 4, false])
    first[0]!.end()
    await turns()
    assert.deepEqual([begun(first), begun(second), newcomer.hasBegun], [14, 4, true])
    first[1]!.end()
    await turns()
    assert.deepEqual([begun(first), begun(second)], [14, 5])
    for (const work of [...first, ...second, newcomer]) work.end()
    await Promise.all([...first, ...second, newcomer].map(({ done }) => done))
  })

  test('are not needed for work without a Space, and only once per call', async () => {
    const admission = createAdmission(4)
    const held = [1, 2].map(() => begin(admission, 'a'))
    assert.equal(await admission.admit(async () => 'the node’s own'), 'the node’s own')
    const other = createAdmission(4)
    const nested = await other.within('a', () =>
      other.admit(() => other.admit(() => other.admit(async () => 'inner'))),
    )
    assert.equal(nested, 'inner')
    for (const work of held) work.end()
  })

  test('are released when their work fails', async () => {
    const admission = createAdmission(4)
    for (let i = 0; i < 10; i++)
      await assert.rejects(
        admission.within('a', () => admission.admit(() => Promise.reject(new Error('planted')))),
        /planted/,
      )
    const work = begin(admission, 'a')
    assert.ok(work.hasBegun)
    work.end()
  })

  test('are awaited only until the timeout', async () => {
    const admission = createAdmission(4, 1)
    const held = [1, 2].map(() => begin(admission, 'a'))
    await assert.rejects(begin(admission, 'a').done, { reason: 'service_unavailable' })
    for (const work of held) work.end()
    await Promise.all(held.map(({ done }) => done))
    const next = begin(admission, 'a')
    assert.ok(next.hasBegun)
    next.end()
  })
})
