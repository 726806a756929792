import type { SubmitOutcome } from './connector.ts'

export type Breaker = {
  /** How many calls may begin; where that is none, how long to wait. */
  stateAt(now: number): { room: number; waitMs: number }
  /** Begins a call for which there is room. Returns the function that ends it, without an outcome where nothing was sent. */
  begin(): (now: number, outcome?: SubmitOutcome['outcome']) => void
}

/** How long a breaker stays open: the first time, and at most. */
export type BreakerRest = { firstMs: number; longestMs: number }

const unknownsToOpen = 5 // limit: unknown outcomes in a row until a rail is left alone
const probeWaitMs = 1_000

/**
 * Opens after five unknown outcomes in a row. After its rest one call at a time probes the rail: a clear outcome closes
 * the breaker, an unknown one keeps it open for twice as long as before.
 */
export function createBreaker({ firstMs, longestMs }: BreakerRest): Breaker {
  let unknowns = 0
  /** 0: closed. */
  let openForMs = 0
  let openUntil = 0
  let isProbed = false

  const open = (now: number) => {
    openForMs = Math.min(Math.max(openForMs * 2, firstMs), longestMs)
    openUntil = now + openForMs
  }
  return {
    stateAt(now) {
      if (openForMs === 0) return { room: Number.POSITIVE_INFINITY, waitMs: 0 }
      const waitMs = isProbed ? probeWaitMs : Math.max(0, openUntil - now)
      return { room: waitMs > 0 ? 0 : 1, waitMs }
    },
    begin() {
      const isProbe = openForMs > 0
      if (isProbe) isProbed = true
      return (now, outcome) => {
        if (isProbe) isProbed = false
        if (outcome === undefined) return
        unknowns = outcome === 'unknown' ? unknowns + 1 : 0
        if (unknowns === 0) openForMs = 0
        // A call that began before it opened changes nothing: only a probe shows how the rail is now.
        else if (isProbe || (openForMs === 0 && unknowns >= unknownsToOpen)) open(now)
      }
    },
  }
}
