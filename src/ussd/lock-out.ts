/** A rule by which a phone is locked out for `lockOutMs` after `wrongDials` wrong dials within `windowMs`. */
export type LockOutRule = { wrongDials: number; windowMs: number; lockOutMs: number }

/**
 * Larger than any difference between the nodes' clocks. A dial that is further in the future was made before a
 * test clock was set back.
 */
const aheadMs = 60_000

/**
 * Returns how long the phone remains locked out, in milliseconds, or 0 if it is not locked out.
 *
 * @param wrong times of the phone's wrong dials, oldest first
 */
export function lockedForMs(rule: LockOutRule, wrong: Date[], now: Date): number {
  const counted = wrong.filter((time) => time.getTime() <= now.getTime() + aheadMs).slice(-rule.wrongDials)
  const [first, last] = [counted[0], counted.at(-1)]
  if (!first || !last || counted.length < rule.wrongDials) return 0
  if (last.getTime() - first.getTime() > rule.windowMs) return 0
  return Math.max(0, last.getTime() + rule.lockOutMs - now.getTime())
}

/**
 * Returns the times of a phone's wrong dials, including a new one at `now` and excluding those that no longer
 * count.
 */
export function withWrongDial(rule: LockOutRule, wrong: Date[], now: Date): Date[] {
  const counted = wrong.filter((time) => Math.abs(now.getTime() - time.getTime()) < rule.windowMs)
  return [...counted, now].slice(-rule.wrongDials)
}
