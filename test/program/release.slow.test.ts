import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/harness.ts'
import { createPayer } from '../support/payer.ts'
import { makeFolder } from '../support/program.ts'

// A production installation made by `npm run release`, without the rest of the project.

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(makeFolder(), 'release')
/** The project's files as an operator has them, among private ones that must not be included. */
const clone = path.join(makeFolder(), 'clone')
const secret = 'planted-secret'
const planted = [
  ...['pesewa.env', 'providers.json', '.env', 'deploy/.env', 'notes.txt', 'secrets/live.json', 'dump.sql'],
  ...[
    'packages/server/src/.env',
    'packages/server/src/rails/providers/providers.json',
    'docs/live.env',
    'scripts/tls.key',
    'deploy/systemd/.env',
  ],
  ...[
    'packages/server/migrations/tls.pem',
    'packages/sdk/node_modules/x/index.js',
    '.npm-token',
    'packages/server/src/link.json',
  ],
]
let said: string
before(() => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  for (const name of [...tracked.split('\0').filter((one) => one !== ''), 'packages/console/dist'])
    cpSync(path.join(root, name), path.join(clone, name), { recursive: true })
  for (const name of planted) {
    mkdirSync(path.dirname(path.join(clone, name)), { recursive: true })
    if (name.includes('link')) symlinkSync(path.join(clone, 'pesewa.env'), path.join(clone, name))
    else writeFileSync(path.join(clone, name), secret, { mode: 0o644 })
  }
  // The packages are those installed in this clone.
  const env = { ...process.env, npm_config_prefer_offline: 'true' }
  said = execFileSync('node', ['scripts/release.mjs', folder], { cwd: clone, env, encoding: 'utf8' })
})

const promisedMegabytes = 250

test('with its own Node and PostgreSQL, it takes less than 250 MB of disk space', (t) => {
  t.diagnostic(said.trim())
  const [megabytes] = execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')
  assert.ok(Number(megabytes) < promisedMegabytes, said)
})

test('it has no development packages and no tests, and lists its packages', () => {
  const developmentOf = (file: string) =>
    Object.keys(JSON.parse(readFileSync(path.join(root, file), 'utf8')).devDependencies)
  const development = [...developmentOf('package.json'), ...developmentOf('packages/console/package.json')]
  const { components } = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8'))
  const listed = new Set(components.map(({ name }: { name: string }) => name))
  // A package that the service also needs at run time is kept; yaml is needed by another package.
  const server = JSON.parse(readFileSync(path.join(root, 'packages/server/package.json'), 'utf8'))
  const kept = ['yaml', 'libphonenumber-js', ...Object.keys(server.dependencies)]
  for (const name of development.filter((one) => !kept.includes(one))) {
    assert.equal(existsSync(path.join(folder, 'node_modules', name)), false, name)
    assert.equal(listed.has(name), false, name)
  }
  assert.ok(listed.has('fastify'))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const own = files.filter((file) => !file.startsWith('node_modules') && !file.startsWith('packages/sdk'))
  assert.deepEqual(
    own.filter((file) => /\.test\.ts$|^test\/|^bench\//.test(file)),
    [],
  )
})

test('it has no private operator files from the source folder', () => {
  const own = (name: string) => !name.startsWith('node_modules') && !name.startsWith('data')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .filter(own)
  assert.deepEqual(
    files.filter((name) => planted.includes(name)),
    [],
  )
  assert.deepEqual(
    files.filter((name) => readFileSync(path.join(folder, name), 'utf8').includes(secret)),
    [],
  )
  const top = new Set(files.map((name) => name.split(path.sep)[0]))
  assert.deepEqual([...top].filter((name) => !allowed.has(name ?? '')).sort(), [])
})

test('git ignores the files in which operators keep secrets', () => {
  for (const name of ['pesewa.env', 'providers.json', '.env', 'deploy/.env'])
    assert.equal(execFileSync('git', ['check-ignore', name], { cwd: root, encoding: 'utf8' }).trim(), name)
})

test('it serves the console, the documentation and a payable page', async () => {
  const port = await freePort()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    // Uses the Node among its packages, not this clone's.
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

/** Lists a release folder without its packages. */
const allowed = new Set([
  ...['packages', 'docs', 'scripts', 'deploy', 'tsconfig.json'],
  ...['package.json', 'package-lock.json', 'sbom.cdx.json', '.npmrc', '.dockerignore', 'config.example.env'],
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'STYLE.md'],
])

const withoutClone = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((one) => !one.includes('node_modules'))
    .join(path.delimiter)
