import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Makes one request or call on connection `lane`; rejects on failure. Its latency is measured from the time
 * when it is due or, if it calls `begun`, from the time of that call.
 */
export type Submit = (lane: number, begun: () => void) => Promise<void>

export type Pace = {
  lanes: number
  /** Scheduled arrivals per second. `undefined`: each worker sends its next request when it has the response. */
  rate?: number | undefined
  warmUpMs: number
  measureMs: number
}

export type Figures = {
  seconds: number
  done: number
  failed: number
  /** Arrivals that were dropped because too many were outstanding. They count neither as done nor as failed. */
  dropped: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** Message of the first failure. */
  failure: string | undefined
}

const drainLimitMs = 10_000
/** Maximum number of waiting arrivals per worker, in the open loop. */
const waitingPerLane = 4

/** Runs the load and measures a window of it; outside the window, only failures count. */
export async function keepPace(
  submit: Submit,
  pace: Pace,
  window: { begins(): unknown; ends(): unknown },
): Promise<Figures> {
  const tally = new Tally()
  const stop = (pace.rate === undefined ? closedLoop : openLoop)(submit, pace, tally)
  await sleep(pace.warmUpMs)
  await window.begins()
  tally.open()
  await sleep(pace.measureMs)
  tally.close()
  await window.ends()
  await Promise.race([stop(), sleep(drainLimitMs, undefined, { ref: false })])
  return tally.figures()
}

class Tally {
  readonly #latenciesNs: RecordableHistogram = createHistogram({ lowest: 1, highest: 1e12, figures: 3 })
  #isOpen = false
  #openedAt = 0
  #closedAt = 0
  #done = 0
  #failed = 0
  #dropped = 0
  #failure: string | undefined

  open(): void {
    this.#isOpen = true
    this.#openedAt = performance.now()
  }

  close(): void {
    this.#isOpen = false
    this.#closedAt = performance.now()
  }

  done(sinceMs: number): void {
    if (!this.#isOpen) return
    this.#done++
    this.#latenciesNs.record(Math.max(1, Math.round((performance.now() - sinceMs) * 1e6)))
  }

  /** Failures also count outside the window, because a load that fails during warm-up measures nothing. */
  failed(error: unknown): void {
    this.#failed++
    this.#failure ??= error instanceof Error ? error.message : String(error)
  }

  dropped(): void {
    if (this.#isOpen) this.#dropped++
  }

  figures(): Figures {
    const seconds = (this.#closedAt - this.#openedAt) / 1000
    const ms = (ns: number) => (this.#done === 0 ? 0 : ns / 1e6)
    return {
      seconds,
      done: this.#done,
      failed: this.#failed,
      dropped: this.#dropped,
      perSecond: this.#done / seconds,
      p50Ms: ms(this.#latenciesNs.percentile(50)),
      p99Ms: ms(this.#latenciesNs.percentile(99)),
      maxMs: ms(this.#latenciesNs.max),
      failure: this.#failure,
    }
  }
}

/** Starts the load and returns a function that stops it. */
function closedLoop(submit: Submit, { lanes }: Pace, tally: Tally): () => Promise<void> {
  let isStopped = false
  const loop = async (lane: number) => {
    while (!isStopped) await submitOnce(submit, lane, performance.now(), tally)
  }
  const loops = Array.from({ length: lanes }, (_, lane) => loop(lane))
  return async () => {
    isStopped = true
    await Promise.all(loops)
  }
}

/**
 * Arrivals follow their schedule regardless of responses. Latency is measured from the scheduled time, so that
 * it includes any time during which the server is stalled. The timer ticks once a millisecond, which adds up to
 * one millisecond to each latency.
 */
function openLoop(submit: Submit, { lanes, rate }: Pace, tally: Tally): () => Promise<void> {
  const spacingMs = 1000 / rate!
  const free = Array.from({ length: lanes }, (_, lane) => lane)
  const waiting: number[] = []
  const running = new Set<Promise<void>>()
  let nextAt = performance.now() + spacingMs

  function send(lane: number, dueAt: number): void {
    const request = submitOnce(submit, lane, dueAt, tally).then(() => {
      running.delete(request)
      const next = waiting.shift()
      if (next === undefined) free.push(lane)
      else send(lane, next)
    })
    running.add(request)
  }

  const timer = setInterval(() => {
    for (const now = performance.now(); nextAt <= now; nextAt += spacingMs) {
      const lane = free.pop()
      if (lane !== undefined) send(lane, nextAt)
      else if (waiting.length < lanes * waitingPerLane) waiting.push(nextAt)
      else tally.dropped()
    }
  }, 1)
  return async () => {
    clearInterval(timer)
    waiting.length = 0
    await Promise.all(running)
  }
}

async function submitOnce(submit: Submit, lane: number, sinceMs: number, tally: Tally): Promise<void> {
  let fromMs = sinceMs
  const begun = () => {
    fromMs = performance.now()
  }
  try {
    await submit(lane, begun)
    tally.done(fromMs)
  } catch (error) {
    tally.failed(error)
  }
}
