import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@pesewa/values'
import { freePort } from '../test/support/free-port.ts'
import { endChild, spawnChild } from './children.ts'
import type { BenchDatabase } from './database.ts'
import { secretKey } from './secret-key.ts'

/** The program, started as in production. */
export type Node = {
  pid: number
  origin: string
  /** Encryption key of the program. */
  secretKey: string
  metrics(): Promise<string | undefined>
  /** Waits until all events are published, so that they do not delay the next measurement. */
  published(): Promise<void>
  stop(): Promise<void>
}

/** The program's entry. In commits before it was JavaScript, to which this tree can be compared, it is `main.ts`. */
const main = must(
  ['main.js', 'main.ts']
    .map((name) => path.resolve(import.meta.dirname, '../packages/server/src', name))
    .find(existsSync),
  'entry of the program',
)
const readyLimitMs = 30_000
const pollMs = 20
const toldLimitMs = 30 * 60_000
const toldPollMs = 250

/** Limits that apply but are never reached. */
const liftedLimits = {
  SPACE_LIMIT_TEST: '1000000',
  TOKEN_LIMIT_TEST: '1000000',
  ENDPOINT_LIMIT_TEST: '1000000',
  CALLBACK_LIMIT: '1000000',
  PAGE_LIMIT: '1000000',
  VIEW_LIMIT: '1000000',
  CONNECTIONS_PER_ADDRESS: '100000',
}

export async function startNode(
  { url, folder }: BenchDatabase,
  roles: string[],
  settings: Record<string, string> = {},
): Promise<Node> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const { NODE_COMPILE_CACHE } = process.env
  const tracing = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'))
  const child = spawnChild(process.execPath, [main, ...roles], {
    // Isolates the program from the caller's settings, except the compile cache and tracing.
    env: {
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...Object.fromEntries(tracing),
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: url,
      DATA_DIR: path.join(folder, 'node'),
      SECRET_KEY: secretKey,
      RATE_LIMITS: 'on',
      WEBHOOK_LIMIT: '1000000',
      SIMULATOR: 'on',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
      ...liftedLimits,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const origin = `http://127.0.0.1:${port}`
  const deadline = performance.now() + readyLimitMs
  while (!(await fetch(`${origin}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`the program exited with code ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error(`the program is not ready after ${readyLimitMs} ms`)
    await sleep(pollMs)
  }
  const metrics = async () =>
    (await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined))?.text()
  const published = () => waitUntilPublished(metrics)
  if (roles.includes('--work')) await published()
  return { pid: child.pid!, origin, secretKey, metrics, published, stop: () => endChild(child) }
}

async function waitUntilPublished(metrics: Node['metrics']): Promise<void> {
  const deadline = performance.now() + toldLimitMs
  while (!/^pesewa_events_pending 0$/m.test((await metrics()) ?? '')) {
    if (performance.now() > deadline) throw new Error(`events were not published within ${toldLimitMs} ms`)
    await sleep(toldPollMs)
  }
}
