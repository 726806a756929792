import type { Clock } from './clock.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { PlatformSettings } from './config.ts'
import type { Database, HomeDatabase } from './db/database.ts'
import type { RateLimiter } from './limits/rate-limits.ts'
import type { LivingNodes } from './living-nodes.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'
import type { Seals } from './seals.ts'
import type { Siblings } from './siblings.ts'
import type { Tracing } from './trace-export/tracing.ts'
import type { Vault } from './vault.ts'

/** The dependencies of every slice. `Own` is the type of the slice's own settings. */
export type Platform<Own = unknown> = {
  settings: PlatformSettings & Own
  /** The public base URL, without a trailing slash. */
  baseUrl: string
  /** The database of the cell, with the Spaces that this node serves. */
  db: Database
  /** The database in which users, Spaces, tokens and other things are written that belong to no single Space. */
  home: HomeDatabase
  clock: Clock
  clockWatch: ClockWatch
  seals: Seals
  vault: Vault
  log: Log
  metrics: Metrics
  readiness: Readiness
  siblings: Siblings
  nodes: LivingNodes
  limiter: RateLimiter
  /** `undefined` if tracing is off. */
  tracing?: Tracing | undefined
}

/**
 * Returns the URL at which this node can reach itself. Its host is the loopback address if the node listens on
 * all addresses.
 */
export function ownUrl({ host, port }: Pick<PlatformSettings, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

type Address = Pick<PlatformSettings, 'baseUrl' | 'host' | 'port'>

/**
 * Returns the public base URL. By default, a node that this machine can reach is called `localhost`, because
 * browsers refuse passkeys on pages whose host is an IP address.
 */
export function baseUrlOf({ baseUrl, host, port }: Address): string {
  if (baseUrl !== undefined) return baseUrl
  return localHosts.has(host) ? `http://localhost:${port}` : ownUrl({ host, port })
}

const localHosts = new Set(['127.0.0.1', '::1', '0.0.0.0', '::'])
