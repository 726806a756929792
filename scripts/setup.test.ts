import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { promisify } from 'node:util'

// A package without dependencies, so npm needs no network and is fast.
let root: string
beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'pesewa-setup-'))
  await fs.mkdir(join(root, 'scripts'))
  for (const file of ['setup.mjs', 'console-files.mjs'])
    await fs.copyFile(join(import.meta.dirname, file), join(root, 'scripts', file))
  await writePackage('1.0.0')
})
afterEach(() => fs.rm(root, { recursive: true }))

test('a checkout without packages is installed, and the next run does and prints nothing', async () => {
  assert.match(await setUp(), /^Installing packages/)
  assert.equal(await setUp(), '')
})

test('the console is built after it was announced, once for each change of its sources', async () => {
  await setUp()
  const vite = join(root, 'node_modules', 'vite', 'bin')
  await fs.mkdir(vite, { recursive: true })
  await fs.writeFile(
    join(vite, 'vite.js'),
    `require('node:fs').mkdirSync(process.argv[process.argv.indexOf('--outDir') + 1])`,
  )
  await fs.mkdir(join(root, 'packages', 'console'), { recursive: true })
  assert.match(await setUp(), /^Building the console; [^\n]*\n$/)
  assert.equal(await setUp(), '')
  await fs.writeFile(join(root, 'packages', 'console', 'app.ts'), '')
  assert.match(await setUp(), /^Building the console; [^\n]*\n$/)
})

test('a changed package-lock.json is installed', async () => {
  await setUp()
  await writePackage('1.0.1')
  assert.match(await setUp(), /^Installing packages/)
  assert.equal(await setUp(), '')
})

test('packages installed manually with npm are not installed again', async () => {
  const lock = JSON.parse(await fs.readFile(join(root, 'package-lock.json'), 'utf8'))
  lock.packages['node_modules/a'] = { version: '1.0.0', integrity: 'sha512-a' }
  lock.packages['node_modules/for-another-platform'] = { version: '1.0.0', optional: true }
  await fs.writeFile(join(root, 'package-lock.json'), JSON.stringify(lock))
  await fs.mkdir(join(root, 'node_modules'))
  const record = { packages: { 'node_modules/a': lock.packages['node_modules/a'] } }
  await fs.writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify(record))
  assert.equal(await setUp(), '')
})

test('a linked node_modules is left alone', async () => {
  const elsewhere = join(root, 'elsewhere')
  await fs.mkdir(elsewhere)
  await fs.symlink(elsewhere, join(root, 'node_modules'))
  assert.equal(await setUp(), '')
  assert.deepEqual(await fs.readdir(elsewhere), [])
})

test('of two concurrent runs, one installs and the other waits', async () => {
  const output = (await Promise.all([setUp(), setUp()])).join('')
  assert.equal(output.match(/Installing/g)?.length, 1)
})

test('the lock of a killed run does not block the next run', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  await fs.mkdir(join(root, '.tmp'))
  await fs.symlink(String(pid), join(root, '.tmp', 'setup.lock'))
  assert.match(await setUp(), /^Installing packages/)
})

test('if npm fails, its error precedes one clear line, and the next run retries', async () => {
  await fs.writeFile(
    join(root, 'package.json'),
    JSON.stringify({ dependencies: { 'not-in-the-lock': '1.0.0' } }),
  )
  const failure = await setUp().catch((error) => error)
  assert.equal(failure.code, 1)
  assert.match(failure.stderr, /npm error.*\nSet-up failed: npm ci failed \(exit code 1\): .*\n$/s)
  await writePackage('1.0.0')
  assert.match(await setUp(), /^Installing packages/)
})

test('a machine with only an old Node gets instructions', async () => {
  await setUp()
  const old = join(root, 'node_modules', '.bin')
  await fs.mkdir(old)
  await fs.writeFile(join(old, 'node'), '#!/bin/sh\necho v20.1.0\n', { mode: 0o755 })
  const failure = await setUp().catch((error) => error)
  assert.equal(failure.code, 1)
  assert.match(failure.stderr, /^Set-up failed: Node v20.1.0 is too old.* install Node 24 or newer .*\n$/)
})

async function writePackage(version: string): Promise<void> {
  const own = { name: 'a-package', version }
  const lock = { ...own, lockfileVersion: 3, requires: true, packages: { '': own } }
  await fs.writeFile(join(root, 'package.json'), JSON.stringify(own))
  await fs.writeFile(join(root, 'package-lock.json'), JSON.stringify(lock))
}

/** Returns the printed output. */
async function setUp(): Promise<string> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, npm_config_offline: 'true' }
  const { stderr } = await promisify(execFile)(process.execPath, [join(root, 'scripts', 'setup.mjs')], {
    env,
  })
  return stderr
}
