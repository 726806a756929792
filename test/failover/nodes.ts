import { createConnection, createServer, type Server } from 'node:net'
import { makeFolder, type Program, spawnProgram } from '../support/program.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { type Lab, until, urlAt } from './cluster.ts'
import type { Machine } from './machines.ts'

/** The nodes of the installation, and the rails elsewhere. */
export type Nodes = {
  simulator: TestSimulator
  /** The addresses of the nodes that serve requests. */
  urls: { app1: string; app2: string }
  programs: Program[]
  /** Starts HAProxy again, with another file. */
  restartProxy(): Promise<void>
  stop(): Promise<void>
}

const railPort = 9_000

/**
 * Starts a node that serves requests and one that runs jobs on `app1`, which reach the database through HAProxy, and a node that does
 * both on `app2` and finds the primary in a list of hosts. `install` puts HAProxy's file on a machine.
 */
export async function startNodes(
  { app1, app2, db1, db2 }: Lab,
  install: (machine: Machine) => void,
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
  const startProxy = () => {
    install(app1)
    return app1.start('haproxy', ['haproxy', '-db', '-f', '/etc/haproxy/haproxy.cfg'])
  }
  let proxy = startProxy()
  // Until its first checks, HAProxy uses both servers in turn.
  const throughProxy = urlAt('127.0.0.1')
  const isPrimary = () =>
    app1.run(['psql', throughProxy, '-Atqc', 'select pg_is_in_recovery()']).trim() === 'f'
  await until('HAProxy finds the primary', () => isPrimary() && isPrimary())

  const start = (machine: Machine, metricsPort: number, ...args: string[]) =>
    spawnProgram(
      args,
      {
        DATABASE_URL: machine === app1 ? throughProxy : urlAt(`${db1.address}:5432,${db2.address}`),
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
    async restartProxy() {
      await proxy.stop()
      proxy = startProxy()
    },
    async stop() {
      for (const program of programs) await program.stop('SIGKILL')
      await proxy.stop('SIGKILL')
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
