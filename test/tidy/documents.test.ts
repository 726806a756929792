import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDecision, readDecisions } from '../../scripts/documents/decisions.ts'
import { foldersInOrder } from '../../scripts/documents/folders.ts'
import { decisionIssues, pages, strangeHosts } from './documents.ts'

// Links within the repository are checked by remark, in scripts/check.ts.

const all = pages()

test('URLs in documents have example domains, this machine, a provider or a known site as their host', () => {
  assertNone(all.flatMap(strangeHosts))
})

test('each decision record has a unique number, a slice and the usual sections', () => {
  assertNone(decisionIssues(readDecisions(), ['the program', ...foldersInOrder()]))
})

test('no document speaks of the workshop that it was written in', () => {
  const workshop = /(?<![\w.])\/work\b|\.\.\/shared\b|\bissues? #?\d+\b/i
  assertNone(
    all
      .filter(({ text }) => workshop.test(text))
      .map(({ path, text }) => `${path} ${workshop.exec(text)![0]}`),
  )
})

test('a URL with an unknown host is found', () => {
  const text =
    '[a](https://evil.test/x) <http://127.0.0.1:8080/x> `https://shop.com/x`\nhttps://pay.example.com\n'
  assert.deepEqual(strangeHosts({ path: 'a.md', text }), [
    'a.md:1 evil.test is not a known host',
    'a.md:1 shop.com is not a known host',
  ])
})

test('a decision record with a wrong number, slice or section is found', () => {
  const usual = '## Context\n\n## Decision\n\n## Consequences\n'
  const record = (file: string, status = 'in force', sections = usual) =>
    readDecision(file, `# 1. T\n\nSlice: ledger · Status: ${status}\n\nSo it is.\n\n${sections}`)
  assert.deepEqual(decisionIssues([record('0001-a.md')], ['ledger']), [])
  assert.deepEqual(
    decisionIssues([record('0001-a.md'), record('0001-b.md', undefined, '## Decision\n')], []),
    [
      'docs/decisions/0001-a.md:1 does not have a unique number: 1',
      'docs/decisions/0001-a.md:1 ledger is not a slice',
      'docs/decisions/0001-b.md:1 ledger is not a slice',
      'docs/decisions/0001-b.md:1 has the sections Decision',
    ],
  )
  assert.throws(() => record('0001-a.md', 'replaced by [2](0002-b.md)'), /does not begin with/)
})

function assertNone(issues: string[]): void {
  assert.equal(issues.length, 0, `\n  ${issues.join('\n  ')}\n`)
}
