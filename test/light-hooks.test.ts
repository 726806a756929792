import assert from 'node:assert/strict'
import { executionAsyncId } from 'node:async_hooks'
import { spawnSync } from 'node:child_process'
import { after, describe, test } from 'node:test'

const ended: string[] = []

describe('a test is still the one that runs after it has waited', () => {
  test('so what is to happen after it happens then', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    after(() => ended.push('test'))
  })
  test('and not at the end of the file', () => assert.deepEqual(ended, ['test']))
  after(() => ended.push('suite'))
})

test('what is to happen after a suite belongs to the suite', () => assert.deepEqual(ended, ['test', 'suite']))

test('an error that nobody caught fails the test that caused it', () => {
  const file = `import { test } from 'node:test'
    test('is sound', () => {})
    test('is not', async () => {
      void Promise.reject(new Error('nobody awaits this'))
      await new Promise((resolve) => setImmediate(resolve))
    })`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const lightHooks = `--import=${import.meta.resolve('./light-hooks.ts')}`
  const { status, stdout } = spawnSync(process.execPath, [lightHooks, '--input-type=module', '-e', file], {
    env,
    encoding: 'utf8',
  })
  assert.deepEqual(
    [status, stdout.match(/(✔|✖) is (sound|not)/g)],
    [1, ['✔ is sound', '✖ is not', '✖ is not']],
  )
})

test('promises are not followed: each would have an id of its own', async () => {
  const ids = new Set<number>()
  for (let times = 0; times < 3; times += 1) ids.add(await Promise.resolve().then(executionAsyncId))
  assert.equal(ids.size, 1)
})
