import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findIn, sourcesOf } from './sources.ts'

// Tests that are declared after an `await` in a `describe` would not belong to it, because promises are tracked
// only while a file loads (test/support/runner/queue.ts).
test('the callbacks of `describe` are not async; awaits are at the top of the file or in `before`', () => {
  const sources = ['packages', 'test', 'scripts'].flatMap((folder) => sourcesOf(folder, '.test.ts'))
  const found = sources.flatMap((source) => findIn(source, /\bdescribe\((?:\n[^\n]*\n)?[^\n]*async \(/g))
  assert.deepEqual(
    found.map(({ at }) => at),
    [],
  )
})
