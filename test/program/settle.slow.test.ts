import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'
import {
  assertOneLine,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  pay,
  type Shop,
  startProgram,
} from '../support/program.ts'

const { runCommand } = openCommandLine()

let given: Environment
let program: Program
let shop: Shop

before(async () => {
  given = { DATABASE_URL: (await makeDatabase()).url, DATA_DIR: makeFolder() }
  program = await startProgram(['serve', '--work'], { ...given, RATE_LIMITS: 'off', LOG_LEVEL: 'error' })
  shop = await makeShop(given, program.baseUrl)
  await pay(program, shop, 30_000)
})

const run = (...args: string[]) => runCommand(['settle', ...args], given)
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout)
}
const inSpace = () => ['--space', shop.spaceId, '--environment', 'test']
/** Returns the arguments of a booking. Later options override earlier ones. */
const booking = (...more: string[]) => [
  ...['book', ...inSpace(), '--kind', 'payout_to_bank', '--provider', 'm17', '--amount', 'SLE:20000'],
  ...['--bank-reference', 'FT-1', '--value-date', '2026-01-31', '--by', 'Aminata, finance', ...more],
]

test('an operator books a provider’s payout to a bank, sees what is owed, and reverses a mistake', async () => {
  const booked = await json(...booking())
  assert.deepEqual(
    [booked.status, booked.createdBy, booked.amount.value],
    ['booked', 'Aminata, finance', 20_000],
  )
  const { owed } = await json('owed')
  assert.deepEqual(owed, [
    {
      environment: 'test',
      providerId: 'm17',
      direction: 'collection',
      amount: { currency: 'SLE', value: 10_000 },
      spaceId: shop.spaceId,
    },
  ])
  const shown = (await call(shop, 'GET', `/v1/settlements/${booked.id}`)).body.result
  assert.deepEqual([shown.bankReference, shown.createdBy], ['FT-1', 'Aminata, finance'])

  const top = await run(...booking('--kind', 'float_top_up', '--note', 'float of February'))
  assert.match(top.stdout, /^id: +stl-\w{26}\nstatus: +booked\nkind: +float_top_up\n/)
  assert.equal(
    (await run(...booking('--bank-reference', 'FT-2', '--amount', 'SLE:10001', '--advance'))).code,
    0,
  )

  const decided = ['--by', 'Aminata', '--reason', 'of another provider']
  assert.equal((await json('reverse', booked.id, ...decided)).reversal.reason, 'of another provider')
  const { settlements } = await json('list', ...inSpace(), '--bank-reference', 'FT-1')
  assert.deepEqual(
    settlements.map(({ kind, status }: { kind: string; status: string }) => [kind, status]),
    [
      ['float_top_up', 'booked'],
      ['payout_to_bank', 'reversed'],
    ],
  )
  const { code } = await runCommand(['verify'], given)
  assert.equal(code, 0)

  const again = await run('reverse', booked.id, ...decided)
  assertOneLine(again.stderr, /^This settlement was reversed at \S+Z\.$/m)
  assert.equal(again.code, 1)
})

test('invalid settlements are refused in one line, with exit code 1', async () => {
  const unknown = '00000000000000000000000000'
  const issues: [string[], RegExp][] = [
    [booking('--space', `spc-${unknown}`), /^There is no such Space\.$/m],
    [booking('--space', 'x'), /"x" is not a valid id; it must start with spc-/],
    [booking('--environment', 'moon'), /argument 'moon' is invalid/],
    [booking('--kind', 'gift'), /argument 'gift' is invalid/],
    [booking('--provider', 'nobody'), /^providerId does not name a provider$/m],
    [booking('--kind', 'float_top_up', '--direction', 'collection'), /^direction must be disbursement/m],
    [booking('--amount', 'SLE:0'), /must have the form SLE:150000/],
    [booking('--amount', 'SLE:1.5'), /must have the form SLE:150000/],
    [booking('--amount', 'XXX:1'), /must have the form SLE:150000/],
    [booking('--amount', 'GHS:1'), /^amount.currency is not accepted by m17/m],
    [
      booking('--amount', 'SLE:9007199254740991', '--bank-reference', 'FT-9'),
      /exceeds the \d+ that the provider owes/,
    ],
    [booking('--bank-reference', ' '), /must be 1 to 100 characters/],
    [booking('--bank-reference', 'x'.repeat(101)), /must be 1 to 100 characters/],
    [booking('--kind', 'float_top_up'), /bankReference is already used by another settlement/],
    [booking('--value-date', '2026-02-30'), /must be a date such as 2026-11-20/],
    [booking('--value-date', '2999-01-01'), /^valueDate must be no later than tomorrow$/m],
    [booking('--by', ' ', '--bank-reference', 'FT-8', '--advance'), /^by must be 1 to 100 characters$/m],
    [booking('--note', 'x'.repeat(501)), /must be 1 to 500 characters/],
    [['book', ...inSpace()], /required option '--kind/],
    [['list', '--space', shop.spaceId], /required option '--environment/],
    [['reverse', `stl-${unknown}`, '--by', 'A', '--reason', 'x'], /^There is no such settlement\.$/m],
    [['reverse', 'x', '--by', 'A', '--reason', 'x'], /"x" is not a valid id; it must start with stl-/],
    [['reverse', `stl-${unknown}`, '--by', 'A'], /required option '--reason/],
  ]
  for (const [args, fault] of issues) {
    const { code, stdout, stderr } = await run(...args)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assertOneLine(stderr, fault)
  }
})
