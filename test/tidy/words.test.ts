import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOf } from './sources.ts'
import { badFileNames, leftovers, usesOfAny } from './words.ts'

const types: [line: string, fault: string | undefined][] = [
  ['const row: any = 1', ': any'],
  ['const row = value as any', 'as any'],
  ['const rows = new Map<any>()', '<any>'],
  ['let rows = [] as any[]', 'as any'],
  ['const row: unknown = 1', undefined],
  ['sql`where id = any(ids)`', undefined],
  ['// any: of whatever kind', undefined],
]

for (const [line, fault] of types)
  test(`${fault === undefined ? 'no any' : 'any'} stands in: ${line}`, () => {
    const found = usesOfAny([sourceOf('src/payouts/routes.ts', `${line}\n`)])
    assert.deepEqual(
      found.map((at) => at.slice('src/payouts/routes.ts:1 '.length)),
      fault === undefined ? [] : [fault],
    )
  })

test('what is left to do later is found wherever it stands, in comments too', () => {
  // Put together, so that this file is none.
  const [first, second] = [`TO${'DO'}`, `FIX${'ME'}`]
  const text = `const a = 1 // ${first}: a limit\n\n/* ${second} */\nconst TODOS = 2\n`
  assert.deepEqual(leftovers([sourceOf('bench/main.ts', text)]), [
    `bench/main.ts:1 ${first}`,
    `bench/main.ts:3 ${second}`,
  ])
})

const files: [file: string, isGood: boolean][] = [
  ['src/payouts/status-cases.ts', true],
  ['src/platform/db/embedded.test.ts', true],
  ['migrations/0012-holds.sql', true],
  ['src/payouts/statusCases.ts', false],
  ['src/Payouts/status.ts', false],
  ['src/payouts/status_cases.ts', false],
  ['src/payouts/utils.ts', false],
  ['src/payouts/date-helper.ts', false],
  ['src/common/money.ts', false],
  ['src/payouts/payout-service.ts', false],
]

for (const [file, isGood] of files)
  test(`${file} is ${isGood ? 'a good' : 'no'} name`, () => {
    assert.deepEqual(badFileNames([file]), isGood ? [] : [`${file}:1`])
  })
