import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { guides, languages, openReader, type Reader, runnable } from '../support/guides.ts'
import type { Shop } from '../support/program.ts'

// A reader follows all guides in one shop, in the order of docs/README.md, and later repeats them.

const contents = readFileSync(path.resolve(import.meta.dirname, '../../docs/README.md'), 'utf8')
const railGuides = guides.map(({ path }) => path).filter((path) => path.startsWith('packages/'))
const linked = [...contents.matchAll(/\]\(([^)#]+\.md)/g)].map(([, link]) => path.join('docs', link!))
const inOrder = ['README.md', ...new Set(linked), ...railGuides].flatMap((name) =>
  guides.filter(({ path }) => path === name),
)

let reader: Reader
let shop: Shop
before(async () => {
  reader = await openReader()
  shop = await reader.makeShop()
})
after(() => reader.close())

test('docs/README.md lists every guide that has samples', () => {
  const missing = guides.filter((page) => !inOrder.includes(page))
  assert.deepEqual(
    missing.filter((page) => languages.some(({ language }) => runnable(page, language).length > 0)),
    [],
  )
})

for (const time of ['first', 'second'])
  describe(`all samples run in one shop, for the ${time} time`, () => {
    for (const page of inOrder)
      for (const { language, name, skip } of languages) {
        const samples = runnable(page, language)
        if (samples.length > 0)
          test(`${page.path} with ${name}`, { skip }, async () => {
            await reader.paste(shop, samples)
          })
      }
  })
