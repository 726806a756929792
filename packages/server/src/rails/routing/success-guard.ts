import type { ConnectionQueue } from '@pesewa/connector-kit'
import type { HomeDatabase } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../connections/catalogue.ts'
import { automaticPauses } from './metrics.ts'
import { pause } from './pauses.ts'

/** Success-rate guard: counts successful and failed payments through each connection, as recorded by this node. */
export type SuccessGuard = {
  /** Records the outcome of a payment. Pauses the connection for this provider if its success rate is too low. */
  record(queue: ConnectionQueue, isSuccess: boolean): void
  /** Waits until all automatic pauses in progress have been written. */
  settled(): Promise<void>
}

type Ended = { at: number; isSuccess: boolean }
type Rule = {
  belowPercent: number
  atLeast: number
  windowMinutes: number
  forMinutes: number
  words: string
}

const standard = {
  atLeast: 20,
  windowMinutes: 10,
  forMinutes: 15,
  words: 'Payments with this provider are failing right now. Please pay another way.',
}
const minuteMs = 60_000
const maxCounted = 1_000 // maximum number of recent payments per connection and provider that a node counts for the automatic pause

/** @param nowMs returns the time of a monotonic clock, in milliseconds */
export function openSuccessGuard(
  parts: { home: HomeDatabase; log: Log; metrics: Pick<Metrics, 'registry'> },
  catalogue: Pick<Catalogue, 'connectionsOf'>,
  nowMs = () => performance.now(),
): SuccessGuard {
  const recent = new Map<string, Ended[]>()
  const pausing = new Set<Promise<void>>()
  const ruleOf = ({ kind, environment, providerId, connection: name }: ConnectionQueue): Rule | undefined => {
    if (kind !== 'collect' || environment !== 'live') return undefined
    const own = catalogue.connectionsOf(providerId).find((each) => each.name === name)?.automaticPause
    return own && { ...standard, ...own }
  }
  return {
    record(queue, isSuccess) {
      const rule = ruleOf(queue)
      if (!rule) return
      const key = `${queue.connection} ${queue.providerId}`
      const since = nowMs() - rule.windowMinutes * minuteMs
      const ended = [...(recent.get(key) ?? []), { at: nowMs(), isSuccess }]
        .filter(({ at }) => at > since)
        .slice(-maxCounted)
      const succeeded = ended.filter((each) => each.isSuccess).length
      const areTooFew = ended.length >= rule.atLeast && succeeded * 100 < rule.belowPercent * ended.length
      // After a pause, counting starts from zero.
      recent.set(key, areTooFew ? [] : ended)
      if (!areTooFew) return
      const made = pauseAutomatically(parts, queue, rule, { succeeded, of: ended.length }).finally(() =>
        pausing.delete(made),
      )
      pausing.add(made)
    },
    settled: async () => void (await Promise.all(pausing)),
  }
}

async function pauseAutomatically(
  { home, log, metrics }: Parameters<typeof openSuccessGuard>[0],
  { environment, connection, providerId }: ConnectionQueue,
  { words, forMinutes }: Rule,
  rate: { succeeded: number; of: number },
): Promise<void> {
  const place = { environment, connection, providerId, direction: 'collect' as const }
  try {
    await home.transaction((tx) =>
      pause(tx, place, { words, by: 'the service: success rate too low', lastingMs: forMinutes * minuteMs }),
    )
    automaticPauses(metrics).inc({ connection, provider: providerId })
    log.error(
      { event: 'connection_paused', connection, provider: providerId, ...rate, forMinutes },
      'paused collections because the success rate is too low',
    )
  } catch (err) {
    // A `Refusal` means that another node or an operator has already paused the connection.
    if (!(err instanceof Refusal))
      log.error({ err, connection }, 'failed to automatically pause a connection')
  }
}
