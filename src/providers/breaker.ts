import type { SubmitOutcome } from './connector.ts'

export type Breaker = {
  /** How many calls may start now, or how long to wait if none may. */
  stateAt(now: number): { room: number; waitMs: number }
  /**
   * Starts a call; check for room first. Returns the function that ends it, to be called without an outcome if
   * nothing was sent.
   */
  begin(): (now: number, outcome?: SubmitOutcome['outcome']) => void
}

/** How long a breaker stays open: at first and at most. */
export type BreakerRest = { firstMs: number; longestMs: number }

const unknownsToOpen = 5 // limit: consecutive unknown outcomes before a rail's circuit breaker opens
const probeWaitMs = 1_000

/**
 * Opens after five consecutive unknown outcomes. When its time is up, one call at a time probes the rail: a
 * clear outcome closes the breaker, an unknown one reopens it for twice as long.
 */
export function createBreaker({ firstMs, longestMs }: BreakerRest): Breaker {
  let unknowns = 0
  /** 0 while closed. */
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
        // Calls started before the breaker opened do not count: only a probe shows the current state.
        else if (isProbe || (openForMs === 0 && unknowns >= unknownsToOpen)) open(now)
      }
    },
  }
}
