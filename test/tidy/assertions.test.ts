import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertionIssues, typeAssertionsOf } from './assertions.ts'
import { sourceOf } from './sources.ts'

const lines: [line: string, ...kinds: ('!' | 'as')[]][] = [
  ['const first = rows[0]!', '!'],
  ['const name = people.get(id)!.name', '!'],
  ['const last = rows[places[0]!]!', '!', '!'],
  ['let later!: string', '!'],
  ['const row = given as Row', 'as'],
  ['const row = given as unknown as Row', 'as', 'as'],
  ['const row = (given!) as Row', '!', 'as'],
  ['const row = given! as Row', '!', 'as'],
  ["const states = ['open'] as const"],
  ["const states = ['open'] as const satisfies string[]"],
  ['const row = { id } satisfies Row as Wide', 'as'],
  ['if (!isOpen && a != b && a !== b) close()'],
  ["import { readFileSync as read, type Stats as Facts } from 'node:fs'"],
  ["import * as fs from 'node:fs'"],
  [`type Renamed = { [Name in keyof Row as \`the\${Name}\`]: Row[Name] }`],
  [`const text = \`select id as name, \${count!} as count\``, '!'],
  ["const words = 'as Row, at last!' // rows[0]! as Row"],
]

for (const [line, ...kinds] of lines)
  test(`${kinds.length === 0 ? 'no assertion' : kinds.join(' and ')} is found in: ${line}`, () => {
    const source = sourceOf('packages/server/src/rows.ts', `${line}\n`)
    assert.deepEqual(
      typeAssertionsOf(source).map(({ at, kind }) => [at, kind]),
      kinds.map((kind) => ['packages/server/src/rows.ts:1', kind]),
    )
  })

test('an assertion has a reason in a comment beside it, or within five lines above it', () => {
  const withReason = '// The query counts: it has one row.\nconst row = rows[0]!\n'
  assert.deepEqual(assertionIssues([sourceOf('packages/server/src/rows.ts', withReason)], 1), [])
  const withReasonBeside = 'const row = rows[0]! // The query counts: it has one row.\n'
  assert.deepEqual(assertionIssues([sourceOf('packages/server/src/rows.ts', withReasonBeside)], 1), [])
  assert.deepEqual(assertionIssues([sourceOf('packages/server/src/rows.ts', 'const row = rows[0]!\n')], 1), [
    'packages/server/src/rows.ts:1 has "!" without a reason',
  ])
})

test('each kind of assertion occurs at most once per thousand lines', () => {
  const one = '// The reason.\nconst row = given as Row\n'
  assert.deepEqual(assertionIssues([sourceOf('packages/server/src/rows.ts', one + '\n'.repeat(998))]), [])
  assert.deepEqual(assertionIssues([sourceOf('packages/server/src/rows.ts', one)]), [
    '"as" occurs 1 times; the limit is 0',
  ])
})
