import assert from 'node:assert/strict'
import { test } from 'node:test'
import { floatingPointMoney } from './money.ts'
import { sourceOf } from './sources.ts'

const lines: [file: string, line: string, fault: string | undefined][] = [
  ['packages/server/src/money/payouts/fees.ts', 'Math.round(a / b)', 'Math.round('],
  ['packages/server/src/money/payouts/fees.ts', 'parseFloat(text)', 'parseFloat('],
  ['packages/server/src/money/payouts/fees.ts', 'value.toFixed(2)', '.toFixed('],
  ['packages/server/src/money/payouts/fees.ts', '(a * bps + 9_999n) / 10_000n', undefined],
  ['packages/server/src/money/payouts/fees.ts', 'Number(payout.amount)', 'Number(payout.amount)'],
  ['packages/server/src/money/payouts/fees.ts', 'Number(limit)', undefined],
  ['packages/server/src/money/payouts/fees.ts', '// Math.round(amount) would lose a cent', undefined],
  // Code that does not handle money may round, but may not convert amounts to numbers, either.
  ['packages/server/src/platform/db/batches.ts', 'Math.ceil(rows / size)', undefined],
  ['packages/server/src/platform/db/batches.ts', 'Number(row.balance)', 'Number(row.balance)'],
  ['packages/pages/src/colors.ts', 'Math.round(channel)', undefined],
]

for (const [file, line, fault] of lines)
  test(`${file} ${fault === undefined ? 'may contain' : 'may not contain'}: ${line}`, () => {
    const found = floatingPointMoney([sourceOf(file, `${line}\n`)])
    assert.deepEqual(found, fault === undefined ? [] : [`${file}:1 ${fault}`])
  })
