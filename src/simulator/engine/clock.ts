/** The rail's time. It is an outside party: its clock is real, and no Space's test clock moves it. */
export type SimulatorClock = {
  now(): Date
  /** Does `work`, which never rejects, at a moment or as soon after it as possible. */
  at(moment: Date, work: () => Promise<void>): void
}

export const systemClock: SimulatorClock = {
  now: () => new Date(),
  at(moment, work) {
    // A timer may fire a millisecond before the clock says so; what is due then would be missed.
    const wake = () => {
      const leftMs = moment.getTime() - Date.now()
      if (leftMs > 0) setTimeout(wake, leftMs).unref()
      else void work()
    }
    setTimeout(wake, Math.max(0, moment.getTime() - Date.now())).unref()
  },
}

/** A clock that stands still until it is moved: a test sees 60 seconds pass without waiting for them. */
export type ManualClock = SimulatorClock & {
  /** Moves `ms` ahead and does all that falls due meanwhile, in its order, each to its end before the next. */
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
