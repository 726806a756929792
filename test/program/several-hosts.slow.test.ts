import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { listOf, startCluster } from '../support/postgres-cluster.ts'
import { makeFolder, makeShop, runProgram, startProgram, urlOf, waitUntil } from '../support/program.ts'

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
  assert.match(stdout, /walreceiver is streaming/)

  const more = { DATABASE_READ_URL: listOf(standby), METRICS_PORT: String(await freePort()) }
  assert.match((await run('doctor', '--offline')).stdout, /DATABASE_READ_URL is not set/)
  const reading = await runProgram(['doctor', '--offline'], { ...given, ...more })
  assert.match(reading.stdout, new RegExp(`127\\.0\\.0\\.1:${standby.port} is \\S+ B behind`))

  const node = await startProgram(['serve', '--work'], { ...given, ...more })
  const { spaceId, testToken } = await makeShop({ DATABASE_URL: urlOf(primary.connection) }, node.baseUrl)
  const headers = { authorization: `Bearer ${testToken}`, 'service-space-id': spaceId }
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${more.METRICS_PORT}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  for (const accept of ['application/json', 'text/csv']) {
    const before = await metric('pesewa_replica_reads_total\\{by="replica"\\}')
    const isAnswered = async () => {
      const response = await fetch(`${node.baseUrl}/v1/payments`, { headers: { ...headers, accept } })
      assert.equal(response.status, 200)
      await response.text()
      return (await metric('pesewa_replica_reads_total\\{by="replica"\\}')) > before
    }
    await waitUntil(node, isAnswered)
  }
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
