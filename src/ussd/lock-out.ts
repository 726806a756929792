/** After `wrongDials` wrong ones within `windowMs` a phone is locked out for `lockOutMs`. */
export type LockOutRule = { wrongDials: number; windowMs: number; lockOutMs: number }

/** Nodes' clocks differ by less; what lies further ahead was dialled before a test clock was set back. */
const aheadMs = 60_000

/**
 * For how long wrong dials still lock a phone out, in milliseconds; 0: they do not.
 *
 * @param wrong when it dialled wrongly, oldest first
 */
export function lockedForMs(rule: LockOutRule, wrong: Date[], now: Date): number {
  const counted = wrong.filter((time) => time.getTime() <= now.getTime() + aheadMs).slice(-rule.wrongDials)
  const [first, last] = [counted[0], counted.at(-1)]
  if (!first || !last || counted.length < rule.wrongDials) return 0
  if (last.getTime() - first.getTime() > rule.windowMs) return 0
  return Math.max(0, last.getTime() + rule.lockOutMs - now.getTime())
}

/** One wrong dial more, and of the earlier ones what still counts. */
export function withWrongDial(rule: LockOutRule, wrong: Date[], now: Date): Date[] {
  const counted = wrong.filter((time) => Math.abs(now.getTime() - time.getTime()) < rule.windowMs)
  return [...counted, now].slice(-rule.wrongDials)
}
