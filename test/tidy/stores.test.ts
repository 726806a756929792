import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOf } from './sources.ts'
import { foreignStoreWrites, sqlOutsideStores } from './stores.ts'

const inPayments = (text: string) =>
  foreignStoreWrites([sourceOf('packages/server/src/money/payments/new.ts', text)], {})

test('a slice may read another slice’s rows through its store, but not write them', () => {
  assert.deepEqual(
    inPayments("import { selectCase, type Case } from '../../ledger/accounts/case-store.ts'\n"),
    [],
  )
  assert.deepEqual(inPayments("import { insertPayments } from './store.ts'\n"), [])
  assert.deepEqual(
    inPayments("import {\n  selectCase,\n  updateCase,\n} from '../../ledger/accounts/case-store.ts'\n"),
    [
      'packages/server/src/money/payments/new.ts:1 money/payments calls updateCase, which writes rows of ledger/accounts',
    ],
  )
  assert.deepEqual(inPayments("import { endCases } from '../../ledger/accounts/case-store.ts'\n").length, 1)
})

test('SQL on a table is in a store or a check', () => {
  const issuesOf = (path: string, text: string) => sqlOutsideStores([sourceOf(path, text)], {})
  const query = 'db.query(sql`select id from payments limit 1`)'
  assert.deepEqual(issuesOf('packages/server/src/money/payments/payments.ts', query), [
    'packages/server/src/money/payments/payments.ts:1 has SQL on a table outside a file named store.ts or …-store.ts',
  ])
  for (const allowed of ['store', 'list-store', 'checks', 'day-checks'])
    assert.deepEqual(issuesOf(`packages/server/src/money/payments/${allowed}.ts`, query), [])
  assert.deepEqual(
    issuesOf('packages/server/src/money/payments/payments.ts', 'markChanging(tx, sql`payments`)'),
    [],
  )
})
