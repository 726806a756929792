import type { Clock } from './clock.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { PlatformSettings } from './config.ts'
import type { Database } from './db/database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'
import type { Seals } from './seals.ts'
import type { Vault } from './vault.ts'

/** The dependencies of every slice. `Own` is the type of the slice's own settings. */
export type Platform<Own = unknown> = {
  settings: PlatformSettings & Own
  /** The public base URL, without a trailing slash. */
  baseUrl: string
  db: Database
  clock: Clock
  clockWatch: ClockWatch
  seals: Seals
  vault: Vault
  log: Log
  metrics: Metrics
  readiness: Readiness
}

/**
 * Returns the URL at which this node can reach itself. Its host is the loopback address if the node listens on
 * all addresses.
 */
export function ownUrl({ host, port }: Pick<PlatformSettings, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
