import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { until } from './harness.ts'
import { isInstalled } from './installed.ts'

/** The reason for which tests that need Redis are skipped. */
export const skipWithoutRedis = isInstalled('redis-server') ? false : 'redis-server is not installed'

export type RedisServer = {
  url: string
  start(): Promise<void>
  /** Kills the server like a crash. */
  kill(): Promise<void>
  /** Suspends the server, so that it accepts connections but does not respond. */
  suspend(): void
  resume(): void
  close(): Promise<void>
}

/** Starts a Redis server that keeps nothing on disk. */
export async function startRedis(options: string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...options],
      { stdio: 'ignore' },
    )
    await until(async () => (await ask(port, 'ping').catch(() => '')) === 'PONG')
  }
  const kill = async () => {
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    if (server?.kill('SIGKILL')) await ended
    server = undefined
  }
  await start()
  // A test that fails does not close its servers.
  process.once('exit', () => server?.kill('SIGKILL'))
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    suspend: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a Redis cluster of three servers. */
export async function startRedisCluster(): Promise<Pick<RedisServer, 'url' | 'close'>> {
  const servers: RedisServer[] = []
  for (let i = 0; i < 3; i++) servers.push(await startRedis(['--cluster-enabled', 'yes']))
  const addresses = servers.map(({ url }) => new URL(url).host)
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'])
  for (const { url } of servers)
    await until(async () =>
      (await ask(Number(new URL(url).port), 'cluster', 'info')).includes('cluster_state:ok'),
    )
  return {
    url: servers.map(({ url }) => url).join(','),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

const ask = async (port: number, ...command: string[]) =>
  (await promisify(execFile)('redis-cli', ['-p', String(port), ...command])).stdout.trim()
