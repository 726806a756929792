import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { download } from './download.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-download-'))
let files = 0
const newFile = () => path.join(folder, `file-${++files}`)
let reply: (response: ServerResponse) => void
const requestedUrls: string[] = []
const server = createServer((request, response) => {
  requestedUrls.push(request.url ?? '')
  reply(response)
})
let url: string
before(
  () =>
    new Promise<void>((resolve) =>
      server.listen(0, '127.0.0.1', () => {
        url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/statement?signature=secret`
        resolve()
      }),
    ),
)
after(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})
const limits = { timeoutMs: 2_000, maxBytes: 100_000 }

test('a file is written unchanged, readable by its owner only', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 256))
  reply = (response) => response.end(bytes)
  const file = newFile()
  assert.equal(await download(url, file, limits), 100_000)
  assert.ok(readFileSync(file).equals(bytes))
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

const refused: [what: string, reply: typeof reply, why: RegExp][] = [
  ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), /^status 302$/],
  ['a 403', (response) => response.writeHead(403).end('<Error>expired</Error>'), /^status 403$/],
  ['one byte too many', (response) => response.end(Buffer.alloc(100_001)), /^response too large$/],
  [
    'a truncated file',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.destroy())
    },
    /^connection reset$/,
  ],
  ['a file that never ends', (response) => void response.writeHead(200).write('slowly'), /^timed out$/],
]
for (const [what, how, why] of refused)
  test(`${what} leaves no file, and the error reveals nothing about the URL`, async () => {
    reply = how
    requestedUrls.length = 0
    const file = newFile()
    await assert.rejects(download(url, file, { ...limits, timeoutMs: 300 }), { message: why })
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith(path.basename(file))),
      [],
    )
    assert.deepEqual(requestedUrls, ['/statement?signature=secret'])
  })

test('an address without a listener, and a missing folder', async () => {
  await assert.rejects(download('http://127.0.0.1:9/x', newFile(), limits), { message: 'connection refused' })
  reply = (response) => response.end('x')
  await assert.rejects(download(url, path.join(folder, 'none', 'file'), limits), { code: 'ENOENT' })
  writeFileSync(path.join(folder, 'plain'), '')
  await assert.rejects(download(url, path.join(folder, 'plain', 'file'), limits), { code: 'ENOTDIR' })
})
