import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { nodeIdentity } from '../../packages/server/src/cli/control-path.ts'
import { openCommandLine } from '../support/command-line.ts'
import { type Environment, makeDatabase, makeFolder, type Program, startProgram } from '../support/program.ts'

const { runCommand } = openCommandLine()
const secretKey = 'kR8vQ2mX7pLw4tZc9bNy6hJd3sFg5aVe'
let shell: Environment
let node: Program
let socket: string
const start = () => startProgram(['serve'], { ...shell, RATE_LIMITS: 'off', SECRET_KEY: secretKey })

before(async () => {
  const { url } = await makeDatabase()
  shell = { DATABASE_URL: url, DATA_DIR: makeFolder() }
  socket = path.join(shell.DATA_DIR!, 'control.sock')
  node = await start()
})
after(() => node.stop())

const doctor = async (env = shell) => {
  const { stdout } = await runCommand(['doctor', '--offline', '--json'], env)
  const { checks }: { checks: { check: string; status: string; says: string }[] } = JSON.parse(stdout)
  return { stdout, says: (name: string) => checks.find(({ check }) => check === name)?.says ?? '' }
}

describe('the control socket', () => {
  test('only the user of the node can open it', () => {
    assert.equal(statSync(socket).mode & 0o777, 0o600)
  })

  test('doctor reports the settings that the node has, not those of its own shell, and no secrets', async () => {
    const { stdout, says } = await doctor()
    assert.match(says('node'), /^process \d+ checked itself, with its own settings/)
    assert.match(says('service'), /RATE_LIMITS is off/)
    assert.equal(says('secret key'), 'hard to guess')
    for (const secret of [secretKey, shell.DATABASE_URL!]) assert.ok(!stdout.includes(secret))
  })

  test('operator commands call the node, with the name of the operator in any script', async () => {
    const created = await runCommand(['spaces', 'create', '--name', 'Socket Shop', '--json'], shell)
    assert.deepEqual([created.code, created.stderr], [0, ''])
    const { id } = JSON.parse(created.stdout)
    const by = ['--by', 'Aïssatou Bâ 山', '--reason', 'Documents are missing']
    const suspended = await runCommand(['spaces', 'suspend', id, ...by, '--json'], shell)
    assert.deepEqual([suspended.code, suspended.stderr], [0, ''])
    assert.match(suspended.stdout, /Aïssatou Bâ 山/)
    const again = await runCommand(['spaces', 'suspend', `spc-${'0'.repeat(26)}`, ...by], shell)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /^There is no such Space/)
  })

  test('a command for another database is not answered by the node', async () => {
    const other = await makeDatabase()
    const env = { ...shell, DATABASE_URL: other.url }
    const { stdout } = await runCommand(['spaces', 'list', '--json'], shell)
    const there = await runCommand(['spaces', 'list', '--json'], env)
    assert.notEqual(there.stdout, stdout)
    assert.match((await doctor(env)).says('node'), /^no node is running with this DATA_DIR and database/)
  })

  test('refuses malformed requests, and stays up', async () => {
    const identity = nodeIdentity({ databaseUrl: shell.DATABASE_URL })
    const call = (url: string, headers: Record<string, string> = {}, body?: string) =>
      new Promise<number>((resolve, reject) => {
        const sent = request({
          socketPath: socket,
          path: url,
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'pesewa-node': identity, ...headers },
        })
        sent.once('error', reject)
        sent.once('response', (response) => resolve(response.resume().statusCode ?? 0))
        sent.end(body)
      })
    const spaces = '/v1/installation/spaces'
    const json = { 'content-type': 'application/json' }
    assert.equal(await call(spaces), 200)
    assert.equal(await call(spaces, { 'pesewa-node': 'x' }), 421)
    assert.equal(await call('/v1/payments'), 404)
    assert.equal(await call('/v1/installation/../payments'), 404)
    assert.equal(await call('/doctor/x'), 404)
    assert.equal(await call(spaces, { 'pesewa-operator': '%' }), 400)
    assert.equal(await call(spaces, { 'pesewa-operator': 'x'.repeat(1_001) }), 400)
    assert.equal(await call(spaces, json, '{'), 400)
    assert.equal(await call(spaces, json, 'x'.repeat(4 * 2 ** 20 + 1)), 413)
    assert.equal(await call(spaces), 200)
  })

  test('is replaced after a crash, and gone after a clean stop; commands work without it', async () => {
    await node.stop('SIGKILL')
    assert.ok(existsSync(socket))
    const { code } = await runCommand(['spaces', 'list'], shell)
    assert.equal(code, 0)
    assert.match((await doctor()).says('node'), /^no node is running/)
    node = await start()
    assert.match((await doctor()).says('node'), /checked itself/)
    await node.stop()
    assert.ok(!existsSync(socket))
    node = await start()
  })
})
