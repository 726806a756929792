import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openMainAccounts } from '../../packages/server/src/operations/installation/opening.ts'
import { homeOf, openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { showId } from '../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import {
  addUser,
  createSpace,
  createToken,
  setMember,
} from '../../packages/server/src/tenants/spaces/spaces.ts'
import { createTestDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { waitBeforeNextCheck } from './patience.ts'
import { createPayer } from './payer.ts'

const thisRelease = fileURLToPath(new URL('../..', import.meta.url))

const patienceMs = Math.max(30_000, Number(process.env.TEST_TIMEOUT_MS ?? 0) / 4)

/** The secret key of programs that a test starts, unless it gives another one. */
export const programSecret = 'a secret that all nodes of a test share'

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

/** The program as its users run it: a process with an exit code and output. */
export type Program = {
  process: ChildProcess
  baseUrl: string
  stdout(): string
  stderr(): string
  ended: Promise<Ended>
  /** Sends the process a signal and waits until it has exited. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

export type Environment = Record<string, string>

const running = new Set<Program>()
const folders: string[] = []
const drops: (() => Promise<void>)[] = []

after(async () => {
  for (const program of running) {
    const limit = setTimeout(() => program.process.kill('SIGKILL'), patienceMs)
    await program.stop('SIGTERM')
    clearTimeout(limit)
  }
  for (const folder of folders) removeFolder(folder)
  for (const drop of drops) await drop()
})

// If the server's user cannot enter the data folder, the folder links to the database elsewhere.
function removeFolder(folder: string): void {
  const link = path.join(folder, 'data', 'postgres')
  const home = existsSync(link) ? realpathSync(link) : folder
  if (home.startsWith('/var/lib/pesewa/data-')) rmSync(home, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
}

/** Creates a folder that any user of this machine can enter. It is removed after the tests of the file. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-program-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/**
 * Creates a database on the run's server: migrated, empty, or a copy of another. Also returns its
 * `DATABASE_URL`.
 */
export async function makeDatabase({ isEmpty = false, like }: { isEmpty?: boolean; like?: string } = {}) {
  if (!isEmpty && like === undefined) {
    const { connection, drop } = await createTestDatabase()
    drops.push(drop)
    return { connection, url: urlOf(connection) }
  }
  const server = JSON.parse(process.env.TEST_DATABASE!) as pg.ClientConfig
  const database = `test_${randomBytes(6).toString('hex')}`
  await ask(server, `create database ${database} template ${like ?? 'template1'} strategy file_copy`)
  drops.push(async () => void (await ask(server, `drop database ${database} with (force)`)))
  const connection = { ...server, database }
  return { connection, url: urlOf(connection) }
}

export function urlOf({ host, port, user, password, database }: pg.ClientConfig): string {
  const [name, secret] = [user ?? '', String(password ?? '')].map(encodeURIComponent)
  return `postgresql://${name}:${secret}@${encodeURIComponent(host ?? '')}:${port}/${database}`
}

/** Runs one statement on a separate connection, and returns its rows. */
// biome-ignore lint/suspicious/noExplicitAny: rows of any statement
export async function ask(connection: pg.ClientConfig, text: string, values: unknown[] = []): Promise<any[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

// The program does not inherit this machine's own settings.
const environment = ([command]: string[], { PORT = '', ...given }: Environment) => ({
  PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
  HOME: tmpdir(),
  METRICS_PORT: '0',
  // The same on every machine. Set PROCESSES=2 to run the tests against programs of two processes.
  PROCESSES: process.env.PROCESSES ?? '1',
  // Hundreds of processes compile the same files.
  NODE_COMPILE_CACHE: path.join(tmpdir(), `pesewa-test-compiled-${process.getuid?.()}`),
  ...(PORT && { PORT }),
  // Nodes that share a database need the same secret.
  ...((command === 'serve' || command === 'work') && {
    SECRET_KEY: programSecret,
    SIMULATOR: 'on',
  }),
  ...given,
})

/**
 * `within` is a command that runs the program, given as its last arguments, in a process with the same id. `release` is
 * the folder of another release.
 */
type SpawnOptions = { uid?: number; gid?: number; nodeFlags?: string[]; within?: string[]; release?: string }

export function spawnProgram(args: string[], given: Environment, options: SpawnOptions = {}): Program {
  const { nodeFlags = [], within = [], release = thisRelease, ...user } = options
  const main = path.join(release, 'packages/server/src/main.js')
  const [command = '', ...words] = [...within, process.execPath, ...nodeFlags, main, ...args]
  const child = spawn(command, words, {
    env: environment(args, given),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => {
      running.delete(program)
      resolve({ code, signal, stdout, stderr })
    }),
  )
  const program: Program = {
    process: child,
    baseUrl: `http://localhost:${given.PORT ?? 8080}`,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    stop: (signal = 'SIGINT') => {
      child.kill(signal)
      return ended
    },
  }
  running.add(program)
  return program
}

/** Runs a command of the program until it exits. */
export async function runProgram(
  args: string[],
  given: Environment,
  { patientMs = patienceMs, ...options }: SpawnOptions & { patientMs?: number } = {},
): Promise<Ended> {
  const program = spawnProgram(args, given, options)
  const limit = setTimeout(() => program.process.kill('SIGKILL'), patientMs)
  const ended = await program.ended
  clearTimeout(limit)
  assert.equal(ended.signal, null, `"${args.join(' ')}" did not exit: ${ended.stderr}`)
  return ended
}

/**
 * Starts the program and waits until it says that it is ready and, unless it is `start`, until `/readyz` agrees. A node that
 * only works has `/readyz` on its metrics port.
 */
export async function startProgram(
  args: string[],
  given: Environment,
  options: SpawnOptions = {},
): Promise<Program> {
  const program = spawnProgram(args, { PORT: String(await freePort()), ...given }, options)
  const isWorking = args[0] === 'work' && given.METRICS_PORT !== undefined
  const readyAt = isWorking ? `http://127.0.0.1:${given.METRICS_PORT}` : program.baseUrl
  await waitUntil(program, () => program.stdout().includes('is ready'))
  if (args[0] !== 'start')
    await waitUntil(program, async () => (await fetch(`${readyAt}/readyz`).catch(() => undefined))?.ok)
  return program
}

/** Waits until `look` returns a truthy value, and returns it. Fails immediately if the program exits first. */
export async function waitUntil<T>(
  { ended, stderr }: Program,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  patientMs = patienceMs,
): Promise<T> {
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const since = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen
    assert.ok(!hasEnded, `the program exited: ${stderr()}`)
    assert.ok(
      performance.now() < since + patientMs,
      `condition not met after ${patientMs} ms: ${look}\n${stderr()}`,
    )
    await waitBeforeNextCheck(since)
  }
}

export type Shop = { baseUrl: string; spaceId: string; testToken: string }

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire
export type Answer = { status: number; headers: Headers; body: any }

/** Calls the API as an integrator does. */
export async function call(
  { baseUrl, spaceId, testToken }: Shop,
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(baseUrl + url, {
    method,
    headers: {
      authorization: `Bearer ${testToken}`,
      'service-space-id': spaceId,
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}

export const order = (value: number, more: object = {}) => ({
  name: 'Order 42',
  lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value } }],
  ...more,
})

/**
 * Creates a Space and a test token of its owner directly in the program's database. Creating them through the
 * program is tested elsewhere.
 */
export async function makeShop(
  { DATABASE_URL: connectionString }: Environment,
  baseUrl: string,
  name = 'Shop',
): Promise<Shop> {
  assert.ok(connectionString, 'makeShop needs DATABASE_URL')
  const db = openDatabase({ connectionString }, { maxConnections: 1, onIdleError: () => {} })
  const bounds = { lifeMs: null, spaceIds: null, networks: null }
  try {
    const shop = await homeOf(db).transaction(async (tx) => {
      const space = await createSpace(tx, { name, country: 'SL' })
      const user = await addUser(tx, `${randomUUID()}@shop.example`)
      await setMember(tx, { spaceId: space.id, userId: user.id, role: 'owner' })
      const wanted = { userId: user.id, environment: 'test', name: 'test' } as const
      const { text } = await createToken(tx, { ...wanted, scopes: ['*'], ...bounds })
      return { space, testToken: text }
    })
    await db.transaction((tx) => openMainAccounts(tx, shop.space))
    return { baseUrl, spaceId: showId(spaceIds, shop.space.id), testToken: shop.testToken }
  } finally {
    await db.close()
  }
}

export const readDemo = (dataDir: string) =>
  JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as Shop & {
    liveToken: string
    financialAccountId: string
    simulatorUrl: string
    ussdUrl: string
  }

/** Pays a session as its payer would, waits for the outcome, and returns the payment as the merchant sees it. */
export async function pay(
  program: Program,
  shop: Shop,
  value: number,
  phone = '076 123 456',
  more: object = {},
) {
  const session = (await call(shop, 'POST', '/v1/checkout-sessions', order(value, more))).body.result
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', phone)
  await waitUntil(program, async () => (await payer.status()) === 'done')
  const { body } = await call(shop, 'GET', `/v1/payments?orderNumber=${session.orderNumber}`)
  assert.equal(body.result.length, 1)
  return body.result[0]
}

/** Pays out 1 000 to a phone, waits for the outcome, and returns the payout as the merchant sees it. */
export async function payOut(program: Program, shop: Shop, phoneNumber: string) {
  const destination = { type: 'momo', providerId: 'm17', phoneNumber }
  const made = await call(shop, 'POST', '/v1/payouts', {
    amount: { currency: 'SLE', value: 1_000 },
    destination,
  })
  return waitUntil(program, async () => {
    const { result } = (await call(shop, 'GET', `/v1/payouts/${made.body.result.id}`)).body
    return (result.status === 'completed' || result.status === 'failed') && result
  })
}

/** Returns the ids of the processes that have exactly this argument. */
export function processesOf(argument: string): number[] {
  return execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.split(/\s+/).includes(argument))
    .map((line) => Number.parseInt(line, 10))
}

/** Returns the ids of the processes among which a program is divided. */
export const partsOf = ({ process: { pid } }: Program): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...words]) => Number(parent) === pid && words.some((word) => /main\.js$/.test(word)))
    .map(([id]) => Number(id))

/** Asserts that a text is one clear line for a person, without a stack trace. */
export function assertOneLine(text: string, expected: RegExp): void {
  assert.match(text, expected)
  assert.equal(text.trimEnd().split('\n').length, 1, `more than one line: ${text}`)
  assert.doesNotMatch(text, /\n\s+at |node:internal|Error:/)
}
