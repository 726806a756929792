import type { SubmitOutcome } from '@pesewa/connector-kit'

export type Breaker = {
  /** Returns how many calls may start now or, if none may, how long to wait. */
  stateAt(now: number): { room: number; waitMs: number }
  /**
   * Starts a call. The caller must have checked that there is room. Returns a function that ends the call and
   * expects the call's outcome; the outcome must be omitted if nothing was sent.
   */
  begin(): (now: number, outcome?: SubmitOutcome['outcome']) => void
}

/** How long a breaker stays open when it opens for the first time, and the maximum time for which it stays open. */
export type BreakerTimes = { firstMs: number; longestMs: number }

const unknownsToOpen = 5 // limit: consecutive unknown outcomes before a rail's circuit breaker opens
const probeWaitMs = 1_000

/**
 * Creates a circuit breaker, which opens after five consecutive unknown outcomes. When the time for which it
 * stays open is over, the breaker lets one call at a time through to probe the rail: a definite outcome closes
 * the breaker, and an unknown one reopens it for twice as long.
 */
export function createBreaker({ firstMs, longestMs }: BreakerTimes): Breaker {
  let unknowns = 0
  /** How long the breaker stays open, in milliseconds; 0 while it is closed. */
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
        // Calls that started before the breaker opened do not count, because only a probe shows the current
        // state.
        else if (isProbe || (openForMs === 0 && unknowns >= unknownsToOpen)) open(now)
      }
    },
  }
}
