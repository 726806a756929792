import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { foldersInOrder } from '../../scripts/documents/architecture.ts'
import { readDecision, readDecisions } from '../../scripts/documents/decisions.ts'
import {
  deadLinks,
  decisionFaults,
  missingPaths,
  pages,
  strangeHosts,
  strangeLinks,
  tablesIn,
} from './documents.ts'
import { root } from './sources.ts'

// Documents are held against what they are about.

const all = pages()
const pageAt = (file: string) => all.find(({ path }) => path === file)
const slices = foldersInOrder()

test('each slice has a README', () => {
  assertNone(slices.map((slice) => `src/${slice}/README.md`).filter((file) => !pageAt(file)))
})

test('each table is named by the README of one slice, its owner', () => {
  const schema = readFileSync(path.join(root, 'schema.sql'), 'utf8')
  const tables = [...schema.matchAll(/^create table (\w+) \(/gm)].map(([, name]) => name!)
  const named = slices.flatMap((slice) => tablesIn(pageAt(`src/${slice}/README.md`)!))
  assert.deepEqual(named.toSorted(), tables.toSorted())
})

test('each decision record has its own number, a slice and the usual sections', () => {
  assertNone(decisionFaults(readDecisions(), ['the program', ...slices]))
})

test('links lead to files and headings that are there', () => {
  assertNone(all.flatMap((page) => deadLinks(page, all)))
})

test('links out of the documents lead to hosts that are known, and every link is one that is checked', () => {
  assertNone(all.flatMap(strangeLinks))
})

test('addresses in samples are nobody’s, this machine’s or a provider’s', () => {
  assertNone(
    all.filter(({ path }) => /^(?:README|(?:docs|sdk|examples)\/.*)\.md$/.test(path)).flatMap(strangeHosts),
  )
})

test('paths that are named are there', () => {
  // The changelog and the specification speak of what was, and of other programs.
  const present = all.filter(({ path }) => !/^CHANGELOG\.md$|^docs\/spec\//.test(path))
  assertNone(present.flatMap(missingPaths))
})

test('no document speaks of the workshop that it was written in', () => {
  const workshop = /(?<![\w.])\/work\b|\.\.\/shared\b|\bissues? #?\d+\b/i
  assertNone(
    all
      .filter(({ text }) => workshop.test(text))
      .map(({ path, text }) => `${path} ${workshop.exec(text)![0]}`),
  )
})

test('the rules above find what breaks them', () => {
  const broken = {
    path: 'src/ledger/README.md',
    text: '# A b\n\n[x](nowhere.md) [y](#a-b) [z](#c)\n\n`posting.ts` and src/ledger/posting.ts, `postings.ts`\n',
  }
  assert.deepEqual(deadLinks(broken, [broken]), [
    'src/ledger/README.md:3 nowhere.md leads to no file',
    'src/ledger/README.md:3 #c leads to no heading',
  ])
  const strange = {
    path: 'a.md',
    text: '[a](https://evil.test/x) <http://127.0.0.1:8080/x> <http://127.0.0.1:9/> [b](https://www.standardwebhooks.com)\n[c](x "y")\n[d]: x\n`https://shop.com/x` https://pay.example.com\n',
  }
  assert.deepEqual(strangeLinks(strange), [
    'a.md:1 https://evil.test/x is no address that is known',
    'a.md:1 http://127.0.0.1:9/ is no address that is known',
    'a.md:2 ](x is no link that is checked',
    'a.md:3 [d]: is no link that is checked',
  ])
  assert.deepEqual(strangeHosts(strange), [
    "a.md:1 evil.test may be somebody's",
    "a.md:4 shop.com may be somebody's",
  ])
  assert.deepEqual(missingPaths(broken), [
    'src/ledger/README.md:5 src/ledger/posting.ts is not there',
    'src/ledger/README.md:5 posting.ts is not there',
  ])
  assert.deepEqual(tablesIn({ path: '', text: '## Tables\n\n`a`, `b`.\n\n## Decisions\n\n`c`\n' }), [
    'a',
    'b',
  ])
  const usual = '## Context\n\n## Decision\n\n## Consequences\n'
  const record = (file: string, status = 'in force', sections = usual) =>
    readDecision(file, `# 1. T\n\nSlice: ledger · Status: ${status}\n\nSo it is.\n\n${sections}`)
  assert.deepEqual(decisionFaults([record('0001-a.md')], ['ledger']), [])
  assert.deepEqual(
    decisionFaults([record('0001-a.md'), record('0001-b.md', undefined, '## Decision\n')], []),
    [
      'docs/decisions/0001-a.md:1 does not have the number 1 to itself',
      'docs/decisions/0001-a.md:1 ledger is not a slice',
      'docs/decisions/0001-b.md:1 ledger is not a slice',
      'docs/decisions/0001-b.md:1 has the sections Decision',
    ],
  )
  assert.throws(() => record('0001-a.md', 'replaced by [2](0002-b.md)'), /does not begin with/)
})

function assertNone(faults: string[]): void {
  assert.equal(faults.length, 0, `\n  ${faults.join('\n  ')}\n`)
}
