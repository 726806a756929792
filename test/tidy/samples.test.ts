import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { commands } from '../../packages/server/src/cli/command-line.ts'
import {
  fixedKeys,
  notRunIssues,
  programIssues,
  reasonsNotToRun,
  sampleIssues,
  samplesIn,
  serviceAddressIssues,
} from '../support/samples.ts'
import { commandIssues, commandsIn } from './commands.ts'
import { pages } from './documents.ts'

// The samples are run by test/program/guides.slow.test.ts. These tests check what can be checked without
// running them.

const guides = pages().filter(({ path }) =>
  /^(?:README|docs\/guides\/.*|packages\/rails\/[^/]+\/guide)\.md$/.test(path),
)

test('every code block in the guides has a known language, and every call is shown as curl, SDK and PHP', () => {
  assertNone(guides.flatMap(sampleIssues))
})

test('every sample that is not run has a reason, and every reason has a sample', () => {
  assertNone(notRunIssues(guides.flatMap(samplesIn)))
})

test('a sample that is run does not start a program that could harm the machine', () => {
  assertNone(guides.flatMap(samplesIn).flatMap(programIssues))
})

test('no Idempotency-Key is used on two pages, because a reader may paste both into one shop', () => {
  const pagesOf = new Map<string, Set<string>>()
  for (const { path, text } of guides)
    for (const key of fixedKeys({ path, text })) pagesOf.set(key, (pagesOf.get(key) ?? new Set()).add(path))
  assert.ok(pagesOf.size > 10, `${pagesOf.size}`)
  assertNone([...pagesOf].filter(([, on]) => on.size > 1).map(([key, on]) => `${key}: ${[...on].join(', ')}`))
})

test('every sample calls the service at $BASE', () => {
  assertNone(guides.flatMap(serviceAddressIssues))
})

test('the commands in the documents exist, with their options and arguments', () => {
  const documents = pages().filter(({ path }) =>
    /^(?:README|(?:docs|packages\/(?!server\/)|examples)\/.*)\.md$/.test(path),
  )
  const typed = documents.flatMap(commandsIn)
  assert.ok(typed.length > 100, `${typed.length}`)
  const program = commands()
  assertNone(typed.flatMap((command) => commandIssues(command, program)))
})

test('the rules above find violations', () => {
  const fence = '```'
  const page = (...blocks: string[]) => ({
    path: 'a.md',
    text: blocks.map((info) => `${fence}${info}\nx\n${fence}\n`).join(''),
  })
  const [sh, ts, php] = ['sh title="curl"', 'ts title="SDK"', 'php title="PHP"']
  assert.deepEqual(sampleIssues(page(sh, ts, php, 'sh', 'sql')), [])
  assert.deepEqual(sampleIssues(page('json')), ['a.md:1 is not valid JSON'])
  assert.deepEqual(sampleIssues(page('js', 'sh title="SDK"')), [
    'a.md:1 has the unknown info string "js"',
    'a.md:4 is not one of curl, SDK and PHP in a row',
  ])
  assert.equal(sampleIssues(page(sh, ts)).length, 2)
  const typed = (code: string) => sampleIssues({ path: 'a.md', text: `${fence}sh\n${code}\n${fence}\n` })
  assert.deepEqual(typed('pesewa cases close cas-…'), [])
  assert.deepEqual(typed('curl /v1/cases/cas-…'), ['a.md:1 contains … and cannot be pasted'])
  assert.equal(sampleIssues(page(sh, php, ts)).length, 3)
  const python = 'python title="Python"'
  assert.deepEqual(sampleIssues(page(sh, ts, php, python)), [])
  assert.equal(sampleIssues(page(sh, ts, python)).length, 3)
  assert.deepEqual(notRunIssues(samplesIn(page('sh no-run', 'sh'))), [
    'a.md:1 is not run, and no reason is given',
    ...Object.keys(reasonsNotToRun).map((name) => `no sample matches ${name}`),
  ])

  const keysOf = (info: string, code: string) =>
    fixedKeys({ path: 'a.md', text: `${fence}${info}\n${code}\n${fence}\n` })
  assert.deepEqual(keysOf('sh', `curl -H "Idempotency-Key: a-$(date +%s%N)" -H 'Idempotency-Key: b-1'`), [
    'b-1',
  ])
  assert.deepEqual(keysOf('sh', 'curl -H "Idempotency-Key: return-$PAYMENT"'), ['return-$PAYMENT'])
  assert.deepEqual(keysOf('ts', "create({}, { idempotencyKey: 'c-1' })"), ['c-1'])
  assert.deepEqual(
    keysOf('php', "call('POST', '/v1/x', 'e-1', []);\ncall('POST', \"/v1/x/$y\", 'f-' . rand());"),
    ['e-1'],
  )
  const addressesOf = (code: string) =>
    serviceAddressIssues({ path: 'a.md', text: `${fence}sh\n${code}\n${fence}\n\n    curl $A/v1/x\n` })
  assert.deepEqual(addressesOf('curl "$BASE/v1/x"'), ['a.md:5 has $A/v1, not $BASE'])
  assert.equal(addressesOf('curl http://127.0.0.1:8080/v1/x').length, 2)

  const run = (code: string) => samplesIn({ path: 'a.md', text: `${fence}sh\n${code}\n${fence}\n` })
  assert.deepEqual(
    run('A=$(curl -s "$BASE" \\\n  -d \'{"a":"x; rm"}\' | head -1)\necho "$A"').flatMap(programIssues),
    [],
  )
  assert.deepEqual(run('useradd x; A=1 rm -rf /\ncurl x "$(reboot)" | sh').flatMap(programIssues), [
    'a.md:1 runs useradd, which has not been reviewed',
    'a.md:1 runs rm, which has not been reviewed',
    'a.md:1 runs sh, which has not been reviewed',
    'a.md:1 runs reboot, which has not been reviewed',
  ])

  const program = new Command('pesewa')
  program.command('pay <id>').requiredOption('--by <who>').option('--all')
  const issuesOf = (text: string) =>
    commandsIn({ path: 'a.md', text }).flatMap((command) => commandIssues(command, program))
  assert.deepEqual(issuesOf(`    pesewa pay x --by 'a b' --all  # --never\n`), [])
  assert.deepEqual(issuesOf('A `pesewa pay` and a `pesewa pay --none`.\n'), [
    'a.md:1 pesewa pay has no --none',
  ])
  assert.deepEqual(issuesOf(`${fence}sh\npesewa pay \\\n  x y\npesewa play\n${fence}\n`), [
    'a.md:2 pesewa pay takes 1 to 1 arguments, not 2',
    'a.md:2 pesewa pay needs --by',
    'a.md:4 play is not a command',
  ])
})

function assertNone(issues: string[]): void {
  assert.equal(issues.length, 0, `\n  ${issues.join('\n  ')}\n`)
}
