import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { readBackup } from '@pesewa/base-backup'
import { runningEmbeddedPostgres } from '@pesewa/embedded-postgres'
import { openCommandLine } from '../support/command-line.ts'
import {
  ask,
  assertOneLine,
  call,
  makeFolder,
  type Program,
  pay,
  readDemo,
  type Shop,
  spawnProgram,
  startProgram,
  urlOf,
  waitUntil,
} from '../support/program.ts'

const { runCommand } = openCommandLine()

// A service with its own server, and a backup made while payments continued.

const folder = makeFolder()
const dataDir = path.join(folder, 'data')
const kept = path.join(folder, 'backups')
const env = { DATA_DIR: dataDir, RATE_LIMITS: 'off', SECRET_KEY: 'a secret that the copy needs as well' }
let program: Program
let shop: Shop
let made: { location: string; pruned: string[]; about: { includesUntil: string; startedAt: string } }
/** Payments that payers saw completed, and when. */
const acknowledged: { orderNumber: string; at: number }[] = []

const backup = (args: string[] = [], given: Record<string, string> = env) =>
  runCommand(['backup', '--to', kept, ...args], given)
const restore = (from: string, to: string, given: Record<string, string> = env) =>
  runCommand(['restore', '--from', from], { ...given, DATA_DIR: to })

before(async () => {
  program = await startProgram(['start'], env)
  shop = readDemo(dataDir)
  const running = spawnProgram(['backup', '--to', kept, '--json'], env)
  await waitUntil(running, () => existsSync(kept) && readdirSync(kept).length > 0)
  // Holds the backup in the middle until a payment is made.
  running.process.kill('SIGSTOP')
  for (const value of [1_000, 2_000]) {
    const { orderNumber } = await pay(program, shop, value)
    acknowledged.push({ orderNumber, at: Date.now() })
  }
  running.process.kill('SIGCONT')
  const { code, stdout, stderr } = await running.ended
  assert.equal(code, 0, stderr)
  made = JSON.parse(stdout)
})

test('a backup made while payments continue can be restored elsewhere, passes verification, and has every payment until its end', async () => {
  const { location, about } = made
  for (const { at } of acknowledged)
    assert.ok(at > Date.parse(about.startedAt) && at < Date.parse(about.includesUntil))

  const elsewhere = path.join(makeFolder(), 'data')
  const { code, stdout, stderr } = await restore(location, elsewhere)
  assert.equal(code, 0, stderr)
  assert.match(
    stdout,
    /The backup is intact: \d+ files.*\nRestored to .*\nAll \d+ checks passed in .*\nRead docs\/guides\/backups\.md/,
  )

  const restored = await startProgram(['start'], { ...env, DATA_DIR: elsewhere, METRICS_PORT: '0' })
  const copy = { ...shop, baseUrl: restored.baseUrl }
  for (const { orderNumber } of acknowledged) {
    const { body } = await call(copy, 'GET', `/v1/payments?orderNumber=${orderNumber}`)
    assert.deepEqual(
      body.result.map((payment: { status: string }) => payment.status),
      ['completed'],
    )
  }
  await pay(restored, copy, 2_000)
  await restored.stop()
})

test('only its owner can read a backup, and it is recorded', async () => {
  for (const place of [kept, made.location]) assert.equal(statSync(place).mode & 0o777, 0o700)
  for (const name of readdirSync(made.location))
    assert.equal(statSync(path.join(made.location, name)).mode & 0o777, 0o600, name)
  const [row] = await ask((await runningEmbeddedPostgres(dataDir))!, 'select * from backups')
  assert.equal(row.location, made.location)
  assert.ok(row.started_at < row.finished_at && row.finished_at <= row.verified_at)
})

for (const name of ['base.tar.zst', 'backup_manifest', 'backup.json', 'password', 'SHA256SUMS'])
  test(`a changed or missing ${name} is refused by name`, async () => {
    const copy = copyOf(made.location)
    const file = path.join(copy, name)
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(file, bytes)
    await assert.rejects(readBackup(copy), (error: Error) => {
      // A changed checksum is reported as an error of its file: either could be wrong.
      assert.match(error.message, name === 'SHA256SUMS' ? /is damaged/ : new RegExp(`^${name} is damaged`))
      return true
    })
  })

test('a changed database file is reported by name, and the data folder is cleaned up', async () => {
  const copy = copyOf(made.location)
  const archive = path.join(copy, 'base.tar.zst')
  const tar = zstdDecompressSync(readFileSync(archive))
  tar[tar.indexOf('global/pg_control') + 512]! ^= 1
  const packed = zstdCompressSync(tar)
  writeFileSync(archive, packed)
  const sums = path.join(copy, 'SHA256SUMS')
  const sum = createHash('sha256').update(packed).digest('hex')
  writeFileSync(sums, readFileSync(sums, 'utf8').replace(/^\S+(?= {2}base)/m, sum))
  const elsewhere = path.join(makeFolder(), 'data')
  const { code, stderr } = await restore(copy, elsewhere)
  assert.equal(code, 1)
  assertOneLine(
    stderr,
    /base\.tar\.zst is damaged: the checksum of global\/pg_control differs from backup_manifest/,
  )
  assert.deepEqual(
    readdirSync(elsewhere).filter((name) => name !== 'postgres.lock'),
    [],
  )
})

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`on ${signal}, a backup exits with ${exitCode} and one line, and leaves nothing behind`, async () => {
    const before = readdirSync(kept)
    const running = spawnProgram(['backup', '--to', kept], env)
    await waitUntil(program, () => readdirSync(kept).some((name) => name.startsWith('.partial-')))
    const { code, stdout, stderr } = await running.stop(signal)
    assert.equal(code, exitCode, stderr)
    assert.equal(stdout, '')
    assertOneLine(stderr.trimStart(), /^Interrupted: removing the incomplete backup\./)
    assert.deepEqual(readdirSync(kept), before)
  })

test('a killed backup has no final name, cannot be restored, and is removed by the next one', async () => {
  const partials = () => readdirSync(kept).filter((name) => name.startsWith('.partial-'))
  const running = spawnProgram(['backup', '--to', kept], env)
  await waitUntil(program, () => partials().length > 0)
  running.process.kill('SIGKILL')
  await running.ended
  const [partial] = partials()
  assert.ok(partial)
  const { code, stderr } = await restore(path.join(kept, partial), path.join(makeFolder(), 'data'))
  assert.equal(code, 1)
  assertOneLine(stderr, /is an incomplete backup/)

  const next = await backup(['--keep', '1', '--json'])
  assert.equal(next.code, 0, next.stderr)
  assert.deepEqual(JSON.parse(next.stdout).pruned, [made.location])
  assert.equal(existsSync(made.location), false)
  assert.deepEqual(readdirSync(kept), [path.basename(JSON.parse(next.stdout).location)])
  const rows = await ask(
    (await runningEmbeddedPostgres(dataDir))!,
    'select location from backups where pruned_at is null',
  )
  assert.deepEqual(rows, [{ location: JSON.parse(next.stdout).location }])
})

test('restore refuses a non-empty folder, the folder of all backups, another secret, and an external PostgreSQL', async () => {
  const [newest] = readdirSync(kept)
  const from = path.join(kept, newest!)
  const url = urlOf((await runningEmbeddedPostgres(dataDir))!)
  const elsewhere = path.join(makeFolder(), 'data')
  for (const [tried, message] of [
    [restore(from, dataDir), /is not empty/],
    [restore(kept, elsewhere), /contains backups; the newest is .*pesewa-/],
    [restore(path.join(kept, 'nothing'), elsewhere), /nothing does not exist/],
    [restore(folder, elsewhere), /SHA256SUMS is missing|backup\.json is missing/],
    [
      restore(from, elsewhere, { ...env, SECRET_KEY: 'another secret, of the same length and more' }),
      /does not match this backup/,
    ],
    [restore(from, elsewhere, { ...env, DATABASE_URL: url }), /DATABASE_URL is set/],
    [backup(['--keep', '0']), /--keep <count>.*must be a whole number from 1/],
  ] as const) {
    const { code, stderr } = await tried
    assert.equal(code, 1)
    assertOneLine(stderr, message)
  }
  assert.equal(existsSync(path.join(elsewhere, 'postgres')), false)
})

test('an external PostgreSQL is backed up with a replication role, and refused with advice without one', async () => {
  const connection = (await runningEmbeddedPostgres(dataDir))!
  await ask(
    connection,
    "create role plain login password 'plain'; grant select, insert, update, delete on backups, schema_migrations to plain",
  )
  const given = (user: string, password: string) => ({
    ...env,
    DATABASE_URL: urlOf({ ...connection, user, password }),
  })
  const refused = await backup([], given('plain', 'plain'))
  assert.equal(refused.code, 1)
  assertOneLine(
    refused.stderr,
    /does not allow backups \(.*\)\. Allow this role to replicate .* pg_basebackup/,
  )

  const { code, stdout, stderr } = await backup(['--json'], given(connection.user, connection.password))
  assert.equal(code, 0, stderr)
  const { location } = JSON.parse(stdout)
  const own = await restore(location, path.join(makeFolder(), 'data'))
  assertOneLine(own.stderr, /is a backup of an external PostgreSQL server\. Unpack base\.tar\.zst/)
  const checked = await runCommand(['restore', '--check', '--from', location], env)
  assert.equal(checked.code, 0, checked.stderr)
  assert.match(checked.stdout, /^The backup is intact: \d+ files/)
})

function copyOf(backup: string): string {
  const copy = path.join(makeFolder(), 'copy')
  cpSync(backup, copy, { recursive: true })
  return copy
}
