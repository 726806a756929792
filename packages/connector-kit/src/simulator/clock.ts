/** The rail's clock. The rail is an outside party, so it uses wall-clock time and ignores test clocks. */
export type SimulatorClock = {
  now(): Date
  /** Runs `work` at the given time or as soon as possible after it. `work` must never reject. */
  at(moment: Date, work: () => Promise<void>): void
}

export const systemClock: SimulatorClock = {
  now: () => new Date(),
  at(moment, work) {
    // A timer can fire a millisecond early by this clock, when nothing is due yet.
    const wake = () => {
      const leftMs = moment.getTime() - Date.now()
      if (leftMs > 0) setTimeout(wake, leftMs).unref()
      else void work()
    }
    setTimeout(wake, Math.max(0, moment.getTime() - Date.now())).unref()
  },
}

/** A clock that moves only when it is advanced, so that tests can skip 60 seconds. */
export type ManualClock = SimulatorClock & {
  /** Advances the clock by `ms`, and runs the work that becomes due one after the other, in order. */
  advance(ms: number): Promise<void>
}

export function createManualClock(start = new Date()): ManualClock {
  let nowMs = start.getTime()
  let waiting: { atMs: number; work: () => Promise<void> }[] = []
  return {
    now: () => new Date(nowMs),
    at(moment, work) {
      waiting.push({ atMs: moment.getTime(), work })
    },
    async advance(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        const [next] = waiting.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)
        if (!next) break
        waiting = waiting.filter((entry) => entry !== next)
        nowMs = Math.max(nowMs, next.atMs)
        await next.work()
      }
      nowMs = untilMs
    },
  }
}
