import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../harness.ts'
import { createPayer } from '../payer.ts'
import { freePort, makeFolder } from '../program.ts'

// What an installation in service runs, made by `npm run release`, beside nothing else of the project.

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(makeFolder(), 'release')
let said: string
before(() => {
  // The packages are those that this clone was installed with.
  const env = { ...process.env, npm_config_prefer_offline: 'true' }
  said = execFileSync('node', ['scripts/release.mjs', folder], { cwd: root, env, encoding: 'utf8' })
})

const promisedMegabytes = 250

test('with its own Node and PostgreSQL it takes less than 250 MB on the disk', (t) => {
  t.diagnostic(said.trim())
  const [megabytes] = execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')
  assert.ok(Number(megabytes) < promisedMegabytes, said)
})

test('it has no development packages and no tests, and a list of what it has', () => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const { components } = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8'))
  const listed = new Set(components.map(({ name }: { name: string }) => name))
  // One that the program's own packages need as well is there for them.
  const shared = ['yaml']
  for (const name of Object.keys(devDependencies).filter((one) => !shared.includes(one))) {
    assert.equal(existsSync(path.join(folder, 'node_modules', name)), false, name)
    assert.equal(listed.has(name), false, name)
  }
  assert.ok(listed.has('fastify'))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const own = files.filter((file) => !file.startsWith('node_modules') && !file.startsWith('sdk'))
  assert.deepEqual(
    own.filter((file) => /\.test\.ts$|^test\/|^bench\//.test(file)),
    [],
  )
})

test('it serves console, documents and a page that is paid, and says so', async () => {
  const port = await freePort()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    // Not the Node of this clone: what it has among its packages.
    env: {
      PATH: withoutClone(),
      HOME: makeFolder(),
      PORT: String(port),
      METRICS_PORT: '0',
      DATA_DIR: path.join(folder, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const ended = once(child, 'close')
  after(async () => {
    process.kill(-child.pid!, 'SIGINT')
    await ended
  })
  await until(async () => stdout.includes('Ctrl-C'))
  for (const place of ['/console', '/docs', '/docs/guides/checkout', '/simulator']) {
    const response = await fetch(`http://127.0.0.1:${port}${place}`, { headers: { accept: 'text/html' } })
    assert.equal(response.status, 200, place)
    assert.match(await response.text(), /<html/)
  }
  const payer = createPayer(/http\S+\/pay\/\S+/.exec(stdout)![0])
  await payer.pay('m17', '076 123 456')
  await until(async () => (await payer.status()) === 'done')
  assert.match(stderr, /^\{[^\n]*"msg":"ready"\}\n$/)
})

const withoutClone = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((one) => !one.includes('node_modules'))
    .join(path.delimiter)
