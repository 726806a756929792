import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBatches, type Outcome } from './batches.ts'
import { createAdmission } from './db/admission.ts'
import type { Bounds } from './db/database.ts'
import { Refusal } from './refusals.ts'

/** Runs that continue until the test ends them. */
function controlled(options: Partial<Parameters<typeof createBatches<number, string>>[0]> = {}) {
  const runs: {
    members: number[]
    bounds: Bounds
    end(outcomes?: Outcome<string>[]): void
    fail(error: Error): void
  }[] = []
  const batches = createBatches<number, string>({
    ...options,
    run: (members, bounds) =>
      new Promise((resolve, reject) => {
        const outcomes = members.map((member) => ({ answer: `did ${member}` }))
        runs.push({ members, bounds, end: (results = outcomes) => resolve(results), fail: reject })
      }),
  })
  return { runs, submit: (member: number, lane = 'a') => batches.submit(lane, member) }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('batches', () => {
  test('a single member runs immediately, and members that arrive during its run form one batch', async () => {
    const { runs, submit } = controlled({ maxRunning: 1 })
    const first = submit(1)
    await turn()
    const others = [submit(2), submit(3), submit(4)]
    await turn()
    assert.deepEqual(
      runs.map(({ members }) => members),
      [[1]],
    )
    runs[0]!.end()
    assert.equal(await first, 'did 1')
    await turn()
    assert.deepEqual(runs[1]!.members, [2, 3, 4])
    runs[1]!.end()
    assert.deepEqual(await Promise.all(others), ['did 2', 'did 3', 'did 4'])
  })

  test('members of one event loop turn run together, in order of arrival', async () => {
    const { runs, submit } = controlled()
    void submit(1)
    void submit(2)
    await turn()
    assert.deepEqual(runs[0]!.members, [1, 2])
  })

  test('batches do not exceed their maximum size or concurrency', async () => {
    const { runs, submit } = controlled({ maxBatch: 2, maxRunning: 2 })
    for (let i = 0; i < 7; i++) void submit(i)
    await turn()
    assert.deepEqual(runs.length, 1)
    void submit(7)
    await turn()
    assert.deepEqual(
      runs.map(({ members }) => members),
      [
        [0, 1],
        [2, 3],
      ],
    )
    runs[0]!.end()
    await turn()
    assert.deepEqual(runs[2]!.members, [4, 5])
    assert.equal(runs.length, 3)
  })

  test('batch keys do not wait for each other', async () => {
    const { runs, submit } = controlled({ maxRunning: 1 })
    void submit(1, 'a')
    void submit(2, 'b')
    await turn()
    assert.deepEqual(
      runs.map(({ members }) => members),
      [[1], [2]],
    )
  })

  test('a refused member gets its refusal, and the others get their results', async () => {
    const { runs, submit } = controlled()
    const [one, two, three] = [submit(1), submit(2), submit(3)]
    await turn()
    const refusal = new Refusal('arguments_invalid')
    runs[0]!.end([{ answer: 'one' }, { error: refusal }, { answer: 'three' }])
    assert.equal(await one, 'one')
    await assert.rejects(two, (error) => error === refusal)
    assert.equal(await three, 'three')
  })

  test('when a batch fails unexpectedly, its members are retried one by one, each with its own outcome', async () => {
    const { runs, submit } = controlled()
    const [one, two] = [submit(1), submit(2)]
    await turn()
    runs[0]!.fail(new Error('all of it'))
    await turn()
    assert.deepEqual(runs[1]!.members, [1])
    runs[1]!.fail(new Error('only this'))
    await assert.rejects(one, /only this/)
    await turn()
    assert.deepEqual(runs[2]!.members, [2])
    runs[2]!.end()
    assert.equal(await two, 'did 2')
  })

  test('a member that has waited too long is not retried after its batch fails, but refused with Retry-After', async () => {
    const { runs, submit } = controlled({ retryLimitMs: 0 })
    const both = [submit(1), submit(2)]
    await turn()
    runs[0]!.fail(new Error('a lock was not free in time'))
    for (const one of await Promise.allSettled(both)) {
      assert.ok(one.status === 'rejected' && one.reason instanceof Refusal)
      assert.deepEqual([one.reason.status, one.reason.headers['retry-after']], [503, '1'])
    }
    assert.equal(runs.length, 1)
  })

  test('a refusal of the whole batch reaches every member and is not retried', async () => {
    const { runs, submit } = controlled()
    const both = Promise.allSettled([submit(1), submit(2)])
    await turn()
    runs[0]!.fail(new Refusal('service_unavailable'))
    for (const settled of await both) assert.equal(settled.status, 'rejected')
    assert.equal(runs.length, 1)
  })

  test('a full queue refuses immediately with Retry-After, and accepts more once it has room', async () => {
    const { runs, submit } = controlled({ maxRunning: 1, maxWaiting: 2 })
    void submit(0)
    await turn()
    const waiting = [submit(1), submit(2)]
    await assert.rejects(
      submit(3, 'b'),
      (error) =>
        error instanceof Refusal &&
        error.reason === 'service_unavailable' &&
        error.headers['retry-after'] === '1',
    )
    runs[0]!.end()
    await turn()
    void submit(4)
    await turn()
    runs[1]!.end()
    assert.deepEqual(await Promise.all(waiting), ['did 1', 'did 2'])
    await turn()
    assert.deepEqual(runs[2]!.members, [4])
  })
})

/** Returns the tenant of a member: members 10 to 19 belong to tenant 1, 20 to 29 to tenant 2, and so on. */
const tenantOf = (member: number) => String(Math.floor(member / 10))

describe('a batch of several tenants', () => {
  test('runs together, with a shorter lock timeout than a batch of one tenant', async () => {
    const { runs, submit } = controlled({ tenantOf })
    const all = [submit(10), submit(20), submit(30)]
    await turn()
    assert.deepEqual(
      runs.map(({ members }) => members),
      [[10, 20, 30]],
    )
    assert.ok(runs[0]!.bounds.lockTimeoutMs! < 10_000)
    runs[0]!.end()
    assert.deepEqual(await Promise.all(all), ['did 10', 'did 20', 'did 30'])
    void submit(11)
    await turn()
    assert.deepEqual(runs[1]!.bounds, {})
  })

  test('serves tenants in turns when it is full, each in order of arrival', async () => {
    const { runs, submit } = controlled({ tenantOf, maxBatch: 4, maxRunning: 1 })
    for (const member of [10, 11, 12, 13, 14, 20, 21, 30]) void submit(member)
    await turn()
    assert.deepEqual(runs[0]!.members, [10, 11, 20, 30])
    runs[0]!.end()
    await turn()
    assert.deepEqual(runs[1]!.members, [12, 13, 14, 21])
  })

  test('is split when it fails until the failing tenant is alone, which then does not delay any other', async () => {
    const { runs, submit } = controlled({ tenantOf, maxRunning: 1 })
    const members = Array.from({ length: 200 }, (_, i) => 10 * (i + 1))
    const [bad, ...good] = members.map((member) => submit(member))
    const isBad = (run: { members: number[] }) => run.members.some((member) => tenantOf(member) === '1')
    await turn()
    runs[0]!.fail(new Error('all of it'))
    for (let i = 1; i < runs.length + 1; i++) {
      await turn()
      const run = runs[i]
      if (run && !isBad(run)) run.end()
      else if (run && run.members.length > 1) run.fail(new Error('some of it'))
    }
    // The failing tenant still hangs.
    assert.equal((await Promise.all(good)).length, 199)
    assert.ok(runs.length <= 40, `${runs.length} runs`)
    runs.find((run) => run.members.length === 1 && isBad(run))!.fail(new Error('only this'))
    await assert.rejects(bad!, /only this/)

    const before = runs.length
    void submit(11)
    for (const member of [21, 31]) void submit(member)
    await turn()
    assert.deepEqual(
      runs.slice(before).map((run) => run.members),
      [[11], [21, 31]],
    )
  })

  test('does not use the connection share of one of its tenants', async () => {
    const admission = createAdmission(8)
    const asked: Promise<void>[] = []
    const held = Promise.withResolvers<void>()
    const batches = createBatches<string, string>({
      tenantOf: (spaceId) => spaceId,
      run: (members) => admission.admit(async () => members.map((member) => ({ answer: member }))),
    })
    // One Space holds all the connections that it may have.
    for (let i = 0; i < 10; i++)
      asked.push(admission.within('busy', () => admission.admit(() => held.promise)))
    const [own, other] = await Promise.all([
      admission.within('busy', () => batches.submit('', 'busy')),
      admission.within('other', () => batches.submit('', 'other')),
    ])
    assert.deepEqual([own, other], ['busy', 'other'])
    held.resolve()
    await Promise.all(asked)
  })
})
