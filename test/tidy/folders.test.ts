import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOfForeignStores, importsOfLaterFolders } from './folders.ts'
import { sourceOf } from './sources.ts'

const later: [what: string, file: string, imported: string, isFault: boolean][] = [
  ['an earlier folder', 'src/payouts/states.ts', '../ledger/holds.ts', false],
  ['its own folder', 'src/payouts/states.ts', './store.ts', false],
  ['a later folder', 'src/ledger/holds.ts', '../payouts/states.ts', true],
  ['a later folder from deep inside', 'src/platform/db/sql.ts', '../../spaces/spaces.ts', true],
  ['the files that wire', 'src/ledger/holds.ts', '../app.ts', true],
  ['a folder from the files that wire', 'src/app.ts', './ledger/holds.ts', false],
  ['the commands from the files that wire', 'src/app.ts', './cli/operator/verify.ts', true],
  ['everything from the first file', 'src/main.ts', './cli/operator/verify.ts', false],
  ['a folder that has no place', 'src/payouts/states.ts', '../invoices/states.ts', true],
  ['a file that is not of src', 'src/payouts/states.ts', '../../test/harness.ts', true],
]

for (const [what, file, imported, isFault] of later)
  test(`the order of folders ${isFault ? 'forbids' : 'allows'} importing ${what}`, () => {
    const found = importsOfLaterFolders([sourceOf(file, `import { a } from '${imported}'\n`)])
    assert.deepEqual(found, isFault ? [`${file}:1 imports ${imported}, which comes later`] : [])
  })

test('every form of an import counts, and a package or a comment does not', () => {
  const forms = [
    "import type { A } from '../ussd/menu.ts'",
    'import {',
    '  a,',
    "} from '../ussd/a.ts'",
    "export { b } from '../ussd/b.ts'",
    "import '../ussd/c.ts'",
    "const d = await import('../ussd/d.ts')",
    "// import { e } from '../ussd/e.ts'",
    "import pg from 'pg'",
  ]
  const found = importsOfLaterFolders([sourceOf('src/ledger/holds.ts', forms.join('\n'))])
  assert.deepEqual(
    found.map((fault) => fault.split(' ')[0]),
    [1, 2, 5, 6, 7].map((line) => `src/ledger/holds.ts:${line}`),
  )
})

test('a file in a folder that has no place in the order is named', () => {
  assert.deepEqual(importsOfLaterFolders([sourceOf('src/invoices/states.ts', '')]), [
    'src/invoices/states.ts:1 stands in a folder that has no place in the order',
  ])
})

const stores: [what: string, file: string, imported: string, isFault: boolean][] = [
  ['its own store', 'src/payouts/routes.ts', './store.ts', false],
  ['its own store from deeper', 'src/events/webhooks/worker.ts', '../store.ts', false],
  ['another’s store', 'src/payouts/routes.ts', '../ledger/store.ts', true],
  ['another’s store of a longer name', 'src/ussd/menu.ts', '../payments/prompt-store.ts', true],
  ['another’s file that is called alike', 'src/ussd/menu.ts', '../payments/restore.ts', false],
]

for (const [what, file, imported, isFault] of stores)
  test(`a slice ${isFault ? 'may not import' : 'may import'} ${what}`, () => {
    const found = importsOfForeignStores([sourceOf(file, `import { a } from '${imported}'\n`)])
    assert.deepEqual(found, isFault ? [`${file}:1 imports ${imported}, which is private to its slice`] : [])
  })
