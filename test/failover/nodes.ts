import { createConnection, createServer, type Server } from 'node:net'
import { makeFolder, type Program, spawnProgram } from '../support/program.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { type Lab, until, urlAt } from './cluster.ts'
import type { Machine, Started } from './machines.ts'

/** The nodes of the installation, with HAProxy on each of their machines, and the rails elsewhere. */
export type Nodes = {
  simulator: TestSimulator
  /** The addresses of the nodes that serve requests. */
  urls: { app1: string; app2: string }
  programs: Program[]
  /** Starts HAProxy again, with another file. */
  restartProxies(install: (machine: Machine) => void): Promise<void>
  stop(): Promise<void>
}

const railPort = 9_000

/**
 * Starts a node that serves requests and one that runs jobs on `app1`, and a node that does both on `app2`. `install` puts HAProxy's
 * file on a machine. Without it, nodes use `databaseUrl`.
 */
export async function startNodes(
  { app1, app2 }: Lab,
  {
    install,
    databaseUrl = urlAt('127.0.0.1'),
  }: { install?: (machine: Machine) => void; databaseUrl?: string },
): Promise<Nodes> {
  const simulator = await startTestSimulator({ baseUrl: 'http://localhost:8080' })
  // The rails listen on loopback only, which the machines cannot reach, and call back the first node.
  const forwards = [
    await forward(
      { host: '10.0.1.1', port: railPort },
      { host: '127.0.0.1', port: Number(new URL(simulator.url).port) },
    ),
    await forward({ host: '127.0.0.1', port: 8_080 }, { host: '10.0.1.21', port: 8_080 }),
  ]
  const proxies = new Map<Machine, Started>()
  const startProxy = (machine: Machine) => {
    install?.(machine)
    if (install)
      proxies.set(machine, machine.start('haproxy', ['haproxy', '-db', '-f', '/etc/haproxy/haproxy.cfg']))
  }
  for (const machine of [app1, app2]) startProxy(machine)
  // Until its first checks, HAProxy uses both servers in turn.
  const isPrimary = (machine: Machine) =>
    machine.run(['psql', databaseUrl, '-Atqc', 'select pg_is_in_recovery()']).trim() === 'f'
  for (const machine of [app1, app2])
    await until('HAProxy finds the primary', () => isPrimary(machine) && isPrimary(machine))

  const start = (machine: Machine, metricsPort: number, ...args: string[]) =>
    spawnProgram(
      args,
      {
        DATABASE_URL: databaseUrl,
        SECRET_KEY: simulator.secretKey,
        SIMULATOR: 'off',
        SIMULATOR_URL: `http://10.0.1.1:${railPort}/simulator`,
        BASE_URL: 'http://localhost:8080',
        HOST: '0.0.0.0',
        METRICS_HOST: '0.0.0.0',
        METRICS_PORT: String(metricsPort),
        DATA_DIR: makeFolder(),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      },
      { within: machine.within },
    )
  const migrated = await start(app1, 0, 'migrate').ended
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  const programs = [
    start(app1, 9_464, 'serve'),
    start(app1, 9_465, 'work'),
    start(app2, 9_464, 'serve', '--work'),
  ]
  const urls = { app1: 'http://10.0.1.21:8080', app2: 'http://10.0.1.22:8080' }
  for (const url of [...Object.values(urls), 'http://10.0.1.21:9465'])
    await until(`${url} is ready`, async () => (await fetch(`${url}/readyz`)).ok)
  return {
    simulator,
    urls,
    programs,
    async restartProxies(another) {
      install = another
      for (const [machine, proxy] of proxies) {
        await proxy.stop()
        startProxy(machine)
      }
    },
    async stop() {
      for (const program of programs) await program.stop('SIGKILL')
      for (const proxy of proxies.values()) await proxy.stop('SIGKILL')
      await simulator.close()
      for (const server of forwards) server.close()
    },
  }
}

type Address = { host: string; port: number }

/** Forwards connections from one address to another. */
async function forward(from: Address, to: Address): Promise<Server> {
  const server = createServer((client) => {
    const upstream = createConnection(to)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(from.port, from.host, resolve))
  server.unref()
  return server
}
