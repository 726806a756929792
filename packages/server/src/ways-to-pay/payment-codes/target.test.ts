import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTargetMet, isTargetReserved } from './target.ts'

type Target = { mode: 'one_time' | 'recurrent'; count?: number; total?: bigint }
const codeOf = ({ mode, count, total }: Target, paid: bigint[]) => ({
  mode,
  expectedCount: count ?? null,
  expectedTotal: total ?? null,
  paidCount: paid.length,
  paidTotal: paid.reduce((sum, amount) => sum + amount, 0n),
})

const once: Target = { mode: 'one_time' }
const forEver: Target = { mode: 'recurrent' }
const twice: Target = { mode: 'recurrent', count: 2 }
const hundred: Target = { mode: 'recurrent', total: 100n }
const either: Target = { mode: 'recurrent', count: 3, total: 100n }

const cases: [target: Target, paid: bigint[], inFlight: bigint[], isMet: boolean, isReserved: boolean][] = [
  [once, [], [], false, false],
  [once, [], [50n], false, true],
  [once, [50n], [], true, true],
  [forEver, [50n, 50n, 50n], [50n], false, false],
  [twice, [50n], [], false, false],
  [twice, [50n], [50n], false, true],
  [twice, [50n, 50n], [], true, true],
  [hundred, [99n], [], false, false],
  [hundred, [60n], [39n], false, false],
  [hundred, [60n], [40n], false, true],
  [hundred, [60n, 60n], [], true, true],
  [either, [10n, 10n], [10n], false, true],
  [either, [10n, 10n, 10n], [], true, true],
  [either, [100n], [], true, true],
]

for (const [target, paid, inFlight, met, reserved] of cases) {
  const { mode, count = '…', total = '…' } = target
  test(`${mode}, ${count} times or ${total}: paid ${paid.join('+') || 0}, in flight ${inFlight.join('+') || 0}: met ${met}, reserved ${reserved}`, () => {
    const code = codeOf(target, paid)
    assert.equal(isTargetMet(code), met)
    assert.equal(
      isTargetReserved(
        code,
        inFlight.map((amount) => ({ amount })),
      ),
      reserved,
    )
  })
}
