import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { conformanceReport } from '@pesewa/connector-kit/conformance'
import { Compile } from 'typebox/compile'
import { createSeals } from '../../packages/server/src/platform/seals.ts'
import { loadCatalogue } from '../../packages/server/src/rails/connections/catalogue.ts'
import { protocolOf } from '../../packages/server/src/rails/connections/protocols.ts'
import {
  assertOneLine,
  type Environment,
  makeDatabase,
  makeFolder,
  runProgram,
  spawnProgram,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { type Mistake, openRestRail } from '../support/rest-rail.ts'

const shape = Compile(conformanceReport)

function readReport(text: string) {
  const report: unknown = JSON.parse(text)
  assert(shape.Check(report), JSON.stringify(shape.Errors(report)))
  return report
}

/** Writes a file with one connection, `mine`, and chooses a report path. */
function fileFor(connection: object) {
  const folder = makeFolder()
  const file = path.join(folder, 'providers.json')
  writeFileSync(file, JSON.stringify({ connections: { mine: { timeoutMs: 1_000, ...connection } } }))
  const out = path.join(folder, 'report')
  return {
    out,
    given: { PROVIDERS_FILE: file, DATA_DIR: path.join(folder, 'data') },
    report: () => readReport(readFileSync(`${out}.json`, 'utf8')),
    markdown: () => readFileSync(`${out}.md`, 'utf8'),
  }
}

const accounts = ['--paying', '0011223456', '--late', '0011223012']
const mine = ['rail-test', '--connection', 'mine', ...accounts]

/** Runs `pesewa rail-test` with a long time limit, because it mostly waits, and takes longer on a busy machine. */
const runRailTest = (args: string[], given: Environment) => runProgram(args, given, { patientMs: 100_000 })

const namesOf = (report: ReturnType<typeof readReport>, result: string) =>
  report.cases.filter((each) => each.result === result).map(({ name }) => name)

const mistakes: [Mistake, string, cases: string[]][] = [
  ['pays again', 'pays twice under one reference', ['repeated submit']],
  ['major units', 'states amounts that are off by a hundred', ['wrong amount']],
  ['unsigned', 'does not sign its reports', ['genuine callback']],
  ['answers first', 'answers before it commits', ['commit before answer']],
  ['reports first', 'reports before it commits', ['commit before answer']],
]

// Runs mostly wait.
describe('pesewa rail-test', { concurrency: 3 }, () => {
  test('a rail written by following the guide passes every case', async () => {
    const rail = await openRestRail()
    try {
      const { out, given, report, markdown } = fileFor(rail.connection)
      const { code, stdout, stderr } = await runRailTest([...mine, '--out', out, '--yes'], given)
      assert.equal(code, 0, stdout)
      assert.deepEqual(
        report().cases.filter(({ result }) => result !== 'passed'),
        [],
      )
      assert.equal(markdown(), stdout)
      assert.match(stdout, /\| unauthentic callback \| passed \| a genuine report was altered/)
      assert.match(stderr, /up to 13 × Le 1\.00 from 0011223456 \(--paying\)[\s\S]*wrong amount: passed/)
      assert.deepEqual(report().submitted.toSorted(), [...rail.payments.keys()].toSorted())
      assert(report().submitted.length <= 14)
    } finally {
      rail.close()
    }
  })

  for (const [mistake, what, cases] of mistakes)
    test(`a rail that ${what} fails: ${cases.join(', ')}`, async () => {
      const rail = await openRestRail(mistake)
      try {
        const { given } = fileFor(rail.connection)
        const { code, stdout } = await runRailTest([...mine, '--yes', '--json'], given)
        assert.equal(code, 1, stdout)
        assert.deepEqual(namesOf(readReport(stdout), 'failed'), cases)
        if (mistake === 'major units') assert.equal(rail.payments.size, 1, 'nothing more is sent')
      } finally {
        rail.close()
      }
    })

  test('connections to a running simulator pass with the REST rail and MTN’s protocol, and so do simulated providers', async () => {
    const { url } = await makeDatabase()
    const simulator = await startProgram(['serve', '--work'], { DATABASE_URL: url })
    const run = async (args: string[], given: Environment, notRun: string[]) => {
      const { code, stdout } = await runRailTest(['rail-test', ...args, '--json'], given)
      assert.equal(code, 0, stdout)
      assert.deepEqual(namesOf(readReport(stdout), 'not run'), notRun)
    }
    const byConnection = (providerId: string, paying: string) => {
      const connection = simulatedConnection(providerId, simulator.baseUrl)
      const args = ['--connection', 'mine', '--paying', paying, '--yes']
      return run(args, fileFor(connection).given, ['late success'])
    }
    const shared = { SECRET_KEY: sharedSecret, PORT: new URL(simulator.baseUrl).port }
    await Promise.all([
      byConnection('dw001', 'dw-0011223456'),
      byConnection('m17', '076 123 456'),
      // If a response is lost, only a callback contains the rail's reference of the payment.
      run(['--simulated', 'mpesa-ke'], shared, []),
    ])
  })

  test('nothing is sent without --yes or a paying account', async () => {
    const rail = await openRestRail()
    try {
      const { given } = fileFor(rail.connection)
      const unconfirmed = await runRailTest(mine, given)
      assert.deepEqual([unconfirmed.code, unconfirmed.stdout], [2, ''])
      assert.match(
        unconfirmed.stderr,
        /up to 13 × Le 1\.00 [\s\S]*Nothing was sent\. To send these payments, add --yes\.\n$/,
      )
      const badly: [args: string[], says: RegExp][] = [
        [['--connection', 'mine', '--yes'], /^Use --paying to specify/],
        [['--connection', 'other', '--yes'], /^PROVIDERS_FILE has no connection other\. Available: mine\.$/m],
        [['--connection', 'mine', '--provider', 'm17'], /reaches slb001, not m17/],
        [
          ['--connection', 'mine', '--paying', '?', '--yes'],
          /^--paying \? is not a valid slb001 account\.$/m,
        ],
        [[...mine.slice(1), '--out', '/nowhere/report', '--yes'], /^Cannot write the report: ENOENT/],
      ]
      await Promise.all(
        badly.map(async ([args, says]) => {
          const { code, stdout, stderr } = await runRailTest(['rail-test', ...args], given)
          assert.deepEqual([code, stdout], [2, ''])
          assertOneLine(stderr, says)
        }),
      )
      assert.equal(rail.payments.size, 0)
    } finally {
      rail.close()
    }
  })

  test('an unreachable rail, or one that rejects the key, is reported in one sentence', async () => {
    const rail = await openRestRail()
    const wrongKey = fileFor({ ...rail.connection, key: 'another-key' })
    const refused = await runRailTest([...mine, '--yes'], wrongKey.given)
    rail.close()
    assert.deepEqual([refused.code, refused.stdout], [2, ''])
    assertOneLine(refused.stderr, /does not accept the connection’s credentials: unknown \(401/)
    const away = await runRailTest([...mine, '--yes'], fileFor(rail.connection).given)
    assert.deepEqual([away.code, away.stdout], [2, ''])
    assertOneLine(away.stderr, /^The rail at http:\S+ cannot be reached: connection refused\.$/m)
  })

  const moments: [during: string, after: string, mistake: Mistake | undefined, code: number][] = [
    // Its response is delayed for as long as a message may take.
    ['slow', 'another revision: passed', undefined, 2],
    // A callback is due between a message and its response, and an earlier case has failed.
    ['callback before answer', 'late success: passed', 'answers first', 1],
  ]
  for (const [during, after, mistake, code] of moments)
    test(`a run interrupted during "${during}" ends, and its report says so`, async () => {
      const rail = await openRestRail(mistake)
      try {
        const { out, given, report, markdown } = fileFor({ ...rail.connection, timeoutMs: 60_000 })
        const program = spawnProgram([...mine, '--out', out, '--yes'], given)
        await waitUntil(program, () => program.stderr().includes(after))
        const ended = await program.stop('SIGINT')
        assert.equal(ended.code, code, ended.stderr)
        assert.match(ended.stderr, /passed\nIncomplete run: the run was interrupted\.\n$/)
        assert.equal(report().stopped, 'the run was interrupted')
        assert(namesOf(report(), 'passed').includes('wrong amount'))
        assert(namesOf(report(), 'not run').includes(during))
        assert.match(markdown(), /\*\*This report is partial\*\*: the run was interrupted\./)
      } finally {
        rail.close()
      }
    })
})

const sharedSecret = 'a secret that all nodes of a test share'

/** Returns a connection as an operator would write it, with the values that the simulator expects. */
function simulatedConnection(providerId: string, baseUrl: string): object {
  const provider = loadCatalogue().find(providerId)
  assert(provider, 'the simulator plays it')
  const place = { simulatorUrl: `${baseUrl}/simulator`, baseUrl, seals: createSeals(sharedSecret) }
  // Two fields are specific to the simulator.
  const {
    callbackKey: _,
    tokenTimeoutMs: __,
    ...fields
  } = {
    ...{ callbackKey: '', tokenTimeoutMs: 0 },
    ...protocolOf(provider).testConnection(provider, place),
  }
  return { ...fields, timeoutMs: 1_000, protocol: provider.protocol, providers: [providerId] }
}
