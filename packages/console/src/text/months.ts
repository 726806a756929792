/** A month in the Space's time zone. `from` is inclusive, and `to` is exclusive. */
export type Month = { value: string; from: string; to: string }

/** Returns the last `count` months including the current one, newest first. */
export function monthsUpTo(now: Date, timeZone: string, count: number): Month[] {
  const today = new Date(now.getTime() + offsetMs(now, timeZone))
  return Array.from({ length: count }, (_, back) => {
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - back]
    return {
      value: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7),
      from: startOfMonth(year, month, timeZone).toISOString(),
      to: startOfMonth(year, month + 1, timeZone).toISOString(),
    }
  })
}

/**
 * Returns the time at which a month starts in the time zone. The offset is looked up twice, in case the clocks
 * change near the start of the month.
 */
function startOfMonth(year: number, month: number, timeZone: string): Date {
  const wall = Date.UTC(year, month, 1)
  const estimate = new Date(wall - offsetMs(new Date(wall), timeZone))
  return new Date(wall - offsetMs(estimate, timeZone))
}

/** Returns the UTC offset of a time zone at the given time, in milliseconds. */
function offsetMs(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return wall - Math.floor(at.getTime() / 1000) * 1000
}
