import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import type pg from 'pg'
import { freePort } from '../support/free-port.ts'
import { makeDatabase, makeFolder, runProgram, urlOf } from '../support/program.ts'

/** Starts a proxy to a database that disappears permanently after this many messages. */
async function leadTo({ host, port, ...connection }: pg.ClientConfig, messages: number) {
  const sockets = new Set<Socket>()
  let left = messages
  const close = () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  }
  const proxy = createServer((client) => {
    const server = connect(path.join(String(host), `.s.PGSQL.${port}`))
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.once('close', () => server.destroy()).pipe(server)
    server
      .once('close', () => client.destroy())
      .on('data', (data) => {
        client.write(data)
        if (--left === 0) close()
      })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address() as { port: number }
  return { url: urlOf({ ...connection, host: '127.0.0.1', port: address.port }), close }
}

const isLogLine = (line: string) => line.startsWith('{"level":')

test('a program whose database disappears during start-up reports it in one line', async () => {
  const { connection } = await makeDatabase()
  const cases: [string[], number][] = [
    [['start'], 7],
    [['start'], 10],
    [['serve', '--work'], 4],
    [['serve', '--work'], 10],
    [['migrate'], 7],
  ]
  for (const [args, messages] of cases) {
    const way = await leadTo(connection, messages)
    const given = { DATABASE_URL: way.url, PORT: String(await freePort()), DATA_DIR: makeFolder() }
    const { code, stderr } = await runProgram(args, given)
    way.close()
    const messageLines = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !isLogLine(line))
    assert.equal(code, 1, `${args} after ${messages}: ${stderr}`)
    assert.equal(messageLines.length, 1, `${args} after ${messages}: ${stderr}`)
    // Before its first query, the program cannot know that there was a database.
    assert.match(
      messageLines[0]!,
      /^(?:The database ended, or cannot be reached any more|DATABASE_URL: .+)\./,
    )
  }
})
