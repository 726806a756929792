/** A rule by which a phone that dials `wrongDials` wrong codes within `windowMs` is locked out for `lockOutMs`. */
export type LockOutRule = { wrongDials: number; windowMs: number; lockOutMs: number }

/**
 * Larger than any difference between the nodes' clocks. If the time of a dialled code is further in the future
 * than this, the code was dialled before a test clock was set back.
 */
const aheadMs = 60_000

/**
 * Returns how long the phone remains locked out, in milliseconds, or 0 if it is not locked out.
 *
 * @param wrong the times at which the phone dialled wrong codes, oldest first
 */
export function lockedForMs(rule: LockOutRule, wrong: Date[], now: Date): number {
  const counted = wrong.filter((time) => time.getTime() <= now.getTime() + aheadMs).slice(-rule.wrongDials)
  const [first, last] = [counted[0], counted.at(-1)]
  if (!first || !last || counted.length < rule.wrongDials) return 0
  if (last.getTime() - first.getTime() > rule.windowMs) return 0
  return Math.max(0, last.getTime() + rule.lockOutMs - now.getTime())
}

/**
 * Returns the times at which a phone dialled wrong codes. The new time `now` is included, and times that no
 * longer count are excluded.
 */
export function withWrongDial(rule: LockOutRule, wrong: Date[], now: Date): Date[] {
  const counted = wrong.filter((time) => Math.abs(now.getTime() - time.getTime()) < rule.windowMs)
  return [...counted, now].slice(-rule.wrongDials)
}
