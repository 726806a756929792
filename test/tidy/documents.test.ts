import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages, strangeHosts } from './documents.ts'

// Links within the repository are checked by remark, in scripts/check.ts.

const all = pages()

test('addresses in documents are examples, this machine’s, a provider’s or known links', () => {
  assertNone(all.flatMap(strangeHosts))
})

test('no document speaks of the workshop that it was written in', () => {
  const workshop = /(?<![\w.])\/work\b|\.\.\/shared\b|\bissues? #?\d+\b/i
  assertNone(
    all
      .filter(({ text }) => workshop.test(text))
      .map(({ path, text }) => `${path} ${workshop.exec(text)![0]}`),
  )
})

test('an address of a stranger is found', () => {
  const text =
    '[a](https://evil.test/x) <http://127.0.0.1:8080/x> `https://shop.com/x`\nhttps://pay.example.com\n'
  assert.deepEqual(strangeHosts({ path: 'a.md', text }), [
    'a.md:1 evil.test is not a known host',
    'a.md:1 shop.com is not a known host',
  ])
})

function assertNone(faults: string[]): void {
  assert.equal(faults.length, 0, `\n  ${faults.join('\n  ')}\n`)
}
