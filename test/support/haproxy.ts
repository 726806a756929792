import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './harness.ts'
import { makeFolder } from './program.ts'

const documented = path.resolve(import.meta.dirname, '../../deploy/haproxy/pesewa.cfg')
const env = { PATH: `${process.env.PATH}:/usr/sbin` }

/** The reason to skip a test that needs HAProxy, or false if it is installed. */
export const withoutHaproxy =
  spawnSync('haproxy', ['-v'], { env }).status === 0 ? false : 'HAProxy is not installed'

/** Starts HAProxy with the documented configuration in front of nodes on these ports. */
export async function startHaproxy(ports: string[]) {
  const port = await freePort()
  const file = path.join(makeFolder(), 'haproxy.cfg')
  const servers = ports.map((node, i) => `    server node${i + 1} 127.0.0.1:${node}\n`).join('')
  const text = readFileSync(documented, 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replaceAll(/(?:^ {4}server .*\n)+/gm, servers)
  writeFileSync(file, text)
  const haproxy = spawn('haproxy', ['-db', '-f', file], { env, stdio: 'ignore' })
  const ended = once(haproxy, 'close')
  const baseUrl = `http://localhost:${port}`
  await until(async () => (await fetch(baseUrl).catch(() => undefined)) !== undefined)
  return {
    baseUrl,
    async close() {
      haproxy.kill('SIGTERM')
      await ended
    },
  }
}
