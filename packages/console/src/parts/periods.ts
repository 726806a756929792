/** Periods that lists can be filtered by. They are computed when the page is opened, so bookmarks stay current. */
export const periodNames = ['today', '7d', 'lastWeek', '30d', 'month', 'lastMonth'] as const
export type Period = (typeof periodNames)[number]

export const isPeriod = (text: string | null): text is Period => periodNames.some((name) => name === text)

/**
 * Returns the first and the last day of a period, in the reader's time zone, such as `2026-11-20`. The last one is
 * empty if the period ends today. Weeks begin on Monday.
 */
export function daysOf(period: Period, now = new Date()): { from: string; to: string } {
  const thisMonth = now.getMonth()
  const day = (date: number, month = thisMonth) => {
    const at = new Date(now.getFullYear(), month, date)
    return [
      at.getFullYear(),
      ...[at.getMonth() + 1, at.getDate()].map((n) => String(n).padStart(2, '0')),
    ].join('-')
  }
  const today = now.getDate()
  const sunday = today - (now.getDay() || 7)
  switch (period) {
    case 'today':
      return { from: day(today), to: '' }
    case '7d':
      return { from: day(today - 6), to: '' }
    case '30d':
      return { from: day(today - 29), to: '' }
    case 'month':
      return { from: day(1), to: '' }
    case 'lastWeek':
      return { from: day(sunday - 6), to: day(sunday) }
    case 'lastMonth':
      return { from: day(1, thisMonth - 1), to: day(0) }
  }
}
