import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machineClockReads } from './clock.ts'
import { sourceOf } from './sources.ts'

const lines: [line: string, fault: string | undefined][] = [
  ['const at = Date.now()', 'Date.now()'],
  ['const at = new Date()', 'new Date()'],
  ['const at = new Date(row.createdAt)', undefined],
  ['const at = clock.now(scope)', undefined],
  ['// not Date.now(), which a test clock does not move', undefined],
  ['await tx.query(sql`select now()`)', 'select now()'],
  ['await tx.query(sql`select clock_timestamp()`)', 'select clock_timestamp()'],
  ['await tx.query(sql`select current_date`)', 'select current_date'],
  ['await tx.query(sql`select max(created_at) from payouts`)', undefined],
]

for (const [line, fault] of lines)
  test(`domain code ${fault === undefined ? 'may contain' : 'may not contain'}: ${line}`, () => {
    const found = machineClockReads([sourceOf('packages/server/src/money/payouts/states.ts', `\n${line}\n`)])
    assert.deepEqual(
      found,
      fault === undefined ? [] : [`packages/server/src/money/payouts/states.ts:2 ${fault}`],
    )
  })

test('code about the machine itself uses the machine’s clock', () => {
  const text = 'const at = Date.now()\n'
  assert.deepEqual(machineClockReads([sourceOf('packages/server/src/platform/jobs/worker.ts', text)]), [])
  assert.deepEqual(machineClockReads([sourceOf('packages/server/src/finance/books/proofs.ts', text)]), [])
})
