import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listOf, startCluster } from '../support/postgres-cluster.ts'
import { makeFolder, runProgram, startProgram } from '../support/program.ts'

const cluster = await startCluster()
after(() => cluster.close())
const { first: primary, second: standby } = cluster

test('every command works with a list of hosts, and a node follows a promotion', async () => {
  const given = {
    DATABASE_URL: listOf(standby, primary),
    DATA_DIR: makeFolder(),
    SECRET_KEY: 'x'.repeat(32),
  }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(args, given)
    assert.doesNotMatch(stdout + stderr, /planted-password/)
    return { code, stdout, stderr }
  }
  assert.equal((await run('migrate')).code, 0)
  const verified = await run('verify')
  assert.equal(verified.code, 0, verified.stderr)
  const backup = await run('backup', '--to', makeFolder())
  assert.equal(backup.code, 0, backup.stderr)
  const { stdout } = await run('doctor', '--offline')
  assert.match(stdout, /1 streaming/)

  const node = await startProgram(['serve', '--work'], given)
  await primary.kill()
  await standby.promote()
  const isReady = async () => (await fetch(`${node.baseUrl}/readyz`)).status === 200
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 20))
  const { code, stderr } = await node.stop()
  assert.equal(code, 0, stderr)
  assert.doesNotMatch(stderr, /planted-password/)
})

test('a list without a primary is refused in one line', async () => {
  const given = { DATABASE_URL: listOf(primary, { host: '127.0.0.1', port: 1 }), DATA_DIR: makeFolder() }
  const { code, stderr } = await runProgram(['migrate'], given)
  assert.equal(code, 1)
  assert.match(stderr, /^DATABASE_URL: none of the hosts is the primary \(.*\)\. Check the address.*\n$/)
  assert.doesNotMatch(stderr, /planted-password/)
})
