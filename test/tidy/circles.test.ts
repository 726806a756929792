import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circlesOf } from './circles.ts'

test('files that import each other form a circle', () => {
  const imports = new Map([
    ['src/a/one.ts', ['src/a/two.ts']],
    ['src/a/two.ts', ['src/a/three.ts']],
    ['src/a/three.ts', ['src/a/one.ts']],
  ])
  assert.deepEqual(circlesOf(imports), ['src/a: one.ts, three.ts, two.ts'])
})

test('a folder and a file next to it form a circle if they import each other, even through different files in the folder', () => {
  const imports = new Map([
    ['src/platform/clock.ts', ['src/platform/db/database.ts']],
    ['src/platform/db/database.ts', []],
    ['src/platform/db/scoped.ts', ['src/platform/clock.ts']],
  ])
  assert.deepEqual(circlesOf(imports), ['src/platform: clock.ts, db'])
})

test('files and folders that can be put in an order form no circle', () => {
  const imports = new Map([
    ['src/main.ts', ['src/a/one.ts', 'src/b/two.ts']],
    ['src/b/two.ts', ['src/a/one.ts', 'src/a/deep/three.ts']],
    ['src/a/one.ts', ['src/a/deep/three.ts']],
    ['src/a/deep/three.ts', []],
  ])
  assert.deepEqual(circlesOf(imports), [])
})
