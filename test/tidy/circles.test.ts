import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circlesOf } from './circles.ts'

test('files that import each other form a circle', () => {
  const imports = new Map([
    ['packages/server/src/a/one.ts', ['packages/server/src/a/two.ts']],
    ['packages/server/src/a/two.ts', ['packages/server/src/a/three.ts']],
    ['packages/server/src/a/three.ts', ['packages/server/src/a/one.ts']],
  ])
  assert.deepEqual(circlesOf(imports), ['packages/server/src/a: one.ts, three.ts, two.ts'])
})

test('a folder and a file next to it form a circle if they import each other, even through different files in the folder', () => {
  const imports = new Map([
    ['packages/server/src/platform/clock.ts', ['packages/server/src/platform/db/database.ts']],
    ['packages/server/src/platform/db/database.ts', []],
    ['packages/server/src/platform/db/scoped.ts', ['packages/server/src/platform/clock.ts']],
  ])
  assert.deepEqual(circlesOf(imports), ['packages/server/src/platform: clock.ts, db'])
})

test('files and folders that can be put in an order form no circle', () => {
  const imports = new Map([
    ['packages/server/src/main.ts', ['packages/server/src/a/one.ts', 'packages/server/src/b/two.ts']],
    ['packages/server/src/b/two.ts', ['packages/server/src/a/one.ts', 'packages/server/src/a/deep/three.ts']],
    ['packages/server/src/a/one.ts', ['packages/server/src/a/deep/three.ts']],
    ['packages/server/src/a/deep/three.ts', []],
  ])
  assert.deepEqual(circlesOf(imports), [])
})
