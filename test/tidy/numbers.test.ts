import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages } from './documents.ts'
import { claimsIn, isUnchecked, quantitiesIn, statedFaults, unstated } from './numbers.ts'
import { sourceOf, sourcesOf } from './sources.ts'
import { statedNumbers } from './stated-numbers.ts'

// A number that stands in a guide is that of the code.

const all = pages()
// What was measured is in the guide to the benchmark, with the machine that it was measured on.
const guides = all.filter(({ path }) =>
  /^(?:README|docs\/start|docs\/guides\/(?!benchmark\.).*|examples\/README|sdk\/README)\.md$/.test(path),
)
const pageAt = (file: string) => all.find(({ path }) => path === file)!.text

test('a number with a unit in the guides says where it comes from', () => {
  assert.ok(guides.flatMap(claimsIn).length > 100, 'there are numbers')
  assertNone(guides.flatMap((page) => unstated(page, statedNumbers)))
})

test('where it comes from, it is the same number', () => {
  const evidence = {
    limits: pageAt('docs/reference/limits.md'),
    settings: pageAt('docs/reference/settings.md'),
    tests: [
      ...sourcesOf('src', '.test.ts'),
      ...sourcesOf('test', '.test.ts'),
      ...sourcesOf('test/image', '.ts'),
    ],
    sources: [...sourcesOf('src', '.ts'), ...sourcesOf('src', '.eta'), ...sourcesOf('sdk/src', '.ts')],
  }
  assertNone(statedNumbers.flatMap((stated) => statedFaults(stated, guides, evidence)))
})

test('ten attempts over three days: what the waits between them come to', () => {
  const waits = /\| waits between attempts to deliver \| ([^|]+) \|/.exec(
    pageAt('docs/reference/limits.md'),
  )![1]!
  const ms = waits.split(', ').map((wait) => [...quantitiesIn(wait)][0]!)
  assert.equal(ms.length + 1, 10)
  const days = ms.reduce((sum, wait) => sum + wait, 0) / 86_400_000
  assert.ok(days > 3 && days < 3.5, `${days}`)
})

test('nearly all of them are checked', () => {
  const unchecked = statedNumbers.filter(isUnchecked)
  assert.ok(unchecked.length * 6 < statedNumbers.length, `${unchecked.length} of ${statedNumbers.length}`)
})

test('the rules above find what breaks them', () => {
  const page = {
    path: 'a.md',
    text: '# A\n\nIt waits 15\nminutes, `20 s` or\n\n```\n30 s\n```\n\ntwo hours in a 2nd way.\n',
  }
  assert.deepEqual(
    claimsIn(page).map(({ at, text }) => [at, text]),
    [
      ['a.md:3', '15\nminutes'],
      ['a.md:10', 'two hours'],
    ],
  )
  const wait = { says: 'It waits 15 minutes', by: 'limit: a wait' }
  assert.deepEqual(unstated(page, [wait]), ['a.md:10 two hours'])
  const evidence = {
    limits:
      '| a wait | 15 m | `a.ts` |\n| another | 16 m | `a.ts` |\n| twice | 15 m | x |\n| twice | 15 m | y |\n',
    settings: '| `WAIT` | `900s` | How long |\n',
    tests: [sourceOf('a.test.ts', "test('gives up after 15 minutes', () => {})")],
    sources: [sourceOf('src/a.ts', 'const waitMs = 15 * 60_000\nconst otherMs = 1\n')],
  }
  const faultsOf = (by: string, says = wait.says) => statedFaults({ says, by }, [page], evidence)
  for (const by of [
    'limit: a wait',
    'setting: WAIT',
    'test: gives up after 15 minutes',
    'src/a.ts: const waitMs = 15 * 60_000',
    'not ours: theirs',
  ])
    assert.deepEqual(faultsOf(by), [], by)
  for (const [by, fault] of [
    ['limit: another', '"It waits 15 minutes" is not what limit another has: 16 m'],
    ['limit: twice', '"It waits 15 minutes": there is no limit: twice'],
    ['setting: WAITS', '"It waits 15 minutes": there is no setting: WAITS'],
    ['test: gives up', '"It waits 15 minutes": there is no test: gives up'],
    ['src/a.ts: const waitMs = 16', '"It waits 15 minutes": there is no src/a.ts: const waitMs = 16'],
    [
      'src/a.ts: const otherMs = 1',
      '"It waits 15 minutes" is not what src/a.ts const otherMs = 1 has: const otherMs = 1; 1 ms',
    ],
    ['not ours: ', '"It waits 15 minutes" has no reason'],
  ] as const)
    assert.deepEqual(faultsOf(by), [fault])
  assert.deepEqual(faultsOf('limit: a wait', '15 minutes'), ['"15 minutes" says too little about what it is'])
  assert.deepEqual(faultsOf('limit: a wait', 'It waits 16 minutes'), [
    'no document says "It waits 16 minutes"',
  ])
})

function assertNone(faults: string[]): void {
  assert.equal(faults.length, 0, `\n  ${faults.join('\n  ')}\n`)
}
