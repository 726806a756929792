import { must } from '@pesewa/values'
import type { LocalTime } from './cells.ts'

const quarterMs = 15 * 60_000
const maxCached = 1_000 // quarters of an hour whose offsets are kept

/**
 * Returns the clock of a time zone. Looking up an offset is slow, and offsets change only at a quarter of an hour,
 * so it is looked up once for each of these.
 */
export function createLocalTime(timeZone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const offsets = new Map<number, number>()
  return (ms) => {
    const quarter = Math.floor(ms / quarterMs)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      if (offsets.size === maxCached) offsets.clear()
      offset = offsetOf(format.formatToParts(ms))
      offsets.set(quarter, offset)
    }
    return ms + offset
  }
}

/** Returns the offset in milliseconds. It is shown as `GMT`, `GMT+02:00` or, long ago, `GMT-00:44:30`. */
function offsetOf(parts: Intl.DateTimeFormatPart[]): number {
  const { value } = must(
    parts.find(({ type }) => type === 'timeZoneName'),
    'offset of a time zone',
  )
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(value) ?? []
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -offset : offset
}
