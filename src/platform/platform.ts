import type { Clock } from './clock.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { PlatformSettings } from './config.ts'
import type { Database } from './db/database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'
import type { Seals } from './seals.ts'
import type { Vault } from './vault.ts'

/** What every slice stands on; `Own`: the settings of a slice. */
export type Platform<Own = unknown> = {
  settings: PlatformSettings & Own
  /** Where the world reaches us, without a slash at the end. */
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

/** This node as it reaches itself: a server that listens on every address is found on loopback. */
export function ownUrl({ host, port }: Pick<PlatformSettings, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
