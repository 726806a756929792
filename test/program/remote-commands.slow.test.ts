import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'
import {
  assertOneLine,
  type Environment,
  makeDatabase,
  makeFolder,
  type Program,
  startProgram,
} from '../support/program.ts'

// Operator commands that work on a running service over the network.

const env: Environment = { DATA_DIR: makeFolder() }
const { run, json } = openCommandLine(() => env)
let program: Program
let token: string
let testToken: string

before(async () => {
  const { url } = await makeDatabase()
  program = await startProgram(['serve'], { ...env, DATABASE_URL: url })
  const here = { env: { DATABASE_URL: url } }
  const made = async (...args: string[]) => JSON.parse((await run([...args, '--json'], here)).stdout)
  const { id } = await made('users', 'add', '--email', 'op@operator.example', '--operator')
  const create = (environment: string) =>
    made('tokens', 'create', '--user', id, '--environment', environment, '--name', 'ops')
  token = (await create('live')).token
  testToken = (await create('test')).token
})

// There is no database in the data folder of these commands.
const at = () => ['--url', program.baseUrl, '--token', token]

test('they do the same as on the machine, and record the user of the token', async () => {
  const { id } = await json('spaces', 'create', '--name', 'Far away', ...at())
  const suspended = await json('spaces', 'suspend', id, '--reason', 'No documents', ...at())
  assert.equal(suspended.suspension.by, 'op@operator.example')
  assert.deepEqual(
    (await json('spaces', 'list', ...at())).spaces.map((space: { id: string }) => space.id),
    [id],
  )
  assert.deepEqual(await json('cases', 'list', ...at()), { cases: [] })
})

test('statements are matched, reported and signed off far away', async () => {
  const { isClean, linesMatched, openItems } = await json('reconcile', ...at())
  assert.deepEqual([isClean, linesMatched, openItems], [true, 0, { isWhole: true, items: [] }])
  assert.deepEqual(await json('reconcile', 'days', ...at()), { days: [] })
  const day = ['reconcile', 'close-day', 'm17', '2026-01-31', '--environment', 'live']
  const { code, stderr } = await run([...day, ...at()])
  assertOneLine(stderr, /^Statements do not fully cover this day/)
  assert.equal(code, 2)
})

test('they are refused in one line, and never without a token', async () => {
  const refused: [string[], RegExp][] = [
    [['spaces', 'list', '--url', program.baseUrl], /^No token: add --token or set PESEWA_TOKEN/],
    [['spaces', 'show', 'spc-00000000000000000000000000', ...at()], /^There is no such Space/],
    [
      ['users', 'add', '--email', 'a@b.example', '--url', program.baseUrl, '--token', testToken],
      /^permission installation:write|^You do not have permission/,
    ],
    [
      ['spaces', 'list', '--url', 'http://127.0.0.1:1', '--token', token],
      /^Could not connect to the service/,
    ],
  ]
  for (const [args, expected] of refused) {
    const { code, stdout, stderr } = await run(args)
    assertOneLine(stderr, expected)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
  }
})
