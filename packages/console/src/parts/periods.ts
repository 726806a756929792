/** Periods that lists can be filtered by. They are computed when the page is opened, so bookmarks stay current. */
export const periodNames = ['today', '7d', '30d', 'month'] as const
export type Period = (typeof periodNames)[number]

export const isPeriod = (text: string | null): text is Period => periodNames.some((name) => name === text)

/** Returns the first day of a period that ends today, in the reader's time zone, such as `2026-11-20`. */
export function firstDayOf(period: Period, now = new Date()): string {
  const first = new Date(now)
  if (period === '7d') first.setDate(first.getDate() - 6)
  if (period === '30d') first.setDate(first.getDate() - 29)
  if (period === 'month') first.setDate(1)
  return dayOf(first)
}

const dayOf = (date: Date) =>
  [
    date.getFullYear(),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')
