const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Formats a duration in its largest unit, such as `3 days`. */
export function durationInWords(ms: number): string {
  // Rounds to the nearest second, so that 12 hours minus a moment is still shown as 12 hours.
  const wholeMs = Math.round(Math.abs(ms) / 1_000) * 1_000
  const [unit, unitMs] = units.find(([, each]) => wholeMs >= each) ?? units[3]
  const count = Math.floor(wholeMs / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Formats a time relative to now, such as `3 days ago`, `in 2 hours` or `just now`. */
export function fromNow(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime()
  if (Math.abs(ms) < 1_000) return 'just now'
  return ms < 0 ? `${durationInWords(ms)} ago` : `in ${durationInWords(ms)}`
}
