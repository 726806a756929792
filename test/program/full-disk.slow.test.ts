import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import {
  call,
  makeFolder,
  order,
  type Program,
  readDemo,
  spawnProgram,
  waitUntil,
} from '../support/program.ts'

// The data folder is on a small file system in a separate mount namespace, which only the program sees.

const folder = makeFolder()
const disk = path.join(folder, 'disk')
const dataDir = path.join(disk, 'data')
const size = '400m'
/** Root may mount; other users need a namespace. */
const namespace =
  process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-current-user', '--keep-caps', '--mount']
const within = [
  ...['unshare', ...namespace, 'sh', '-c'],
  ...['mount -t tmpfs -o "size=$1,mode=755" none "$0" && shift && exec "$@"', disk, size],
]

let program: Program
before(async () => {
  mkdirSync(disk)
  const PORT = String(await freePort())
  program = spawnProgram(['start'], { PORT, DATA_DIR: dataDir, LOG_LEVEL: 'error' }, { within })
  await waitUntil(program, () => program.stdout().includes('Ctrl-C'), 120_000)
})

/** Returns a path in the program's own file system. */
const seenByProgram = (name: string) => `/proc/${program.process.pid}/root${name}`

const ready = async () => {
  const response = await fetch(`${program.baseUrl}/readyz`)
  return [response.status, ((await response.json()) as { reason?: string }).reason]
}

/** Fills the disk to the last byte, including space freed meanwhile. */
function fill(file: string): void {
  for (let bytes = 2 ** 24; bytes >= 2 ** 9; )
    try {
      appendFileSync(file, Buffer.alloc(bytes))
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
      bytes /= 2
    }
}

test('with a full database disk, a node is not ready and says why, still reads, and recovers automatically', async () => {
  assert.deepEqual(await ready(), [200, undefined])
  const shop = { ...readDemo(seenByProgram(dataDir)), baseUrl: program.baseUrl }
  const filler = seenByProgram(path.join(disk, 'filler'))
  await waitUntil(program, async () => {
    fill(filler)
    return (await ready())[0] === 503
  })
  assert.deepEqual(await ready(), [503, 'the database disk is full'])
  assert.match(program.stderr(), /"msg":"the database disk is full"/)
  assert.equal((await fetch(`${program.baseUrl}/healthz`)).status, 200)
  assert.equal((await call(shop, 'GET', '/v1/payments')).status, 200)
  const written = await call(shop, 'POST', '/v1/checkout-sessions', order(500))
  assert.ok(written.status === 200 || written.status === 503, `${written.status}`)
  rmSync(filler)
  await waitUntil(program, async () => (await ready())[0] === 200)
  assert.equal((await call(shop, 'POST', '/v1/checkout-sessions', order(500))).status, 200)
  await program.stop()
})
