import { selectArchivedUntil } from '../../platform/db/archived-months.ts'
import type { Reader } from '../../platform/db/database.ts'
import { argumentRefusal } from '../../platform/refusals.ts'

/** A month, such as `2026-11`, with its first and last date. */
export type Month = { name: string; from: string; to: string }

const dayMs = 86_400_000
const firstMonth = '2000-01'

const showDate = (ms: number) => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Returns the month of a date, or the month that many months before it. */
function monthOf(date: string, back = 0): Month {
  const day = new Date(Date.parse(date))
  const start = (more: number) => Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - back + more, 1)
  const from = showDate(start(0))
  return { name: from.slice(0, 'yyyy-mm'.length), from, to: showDate(start(1) - dayMs) }
}

/** Returns all dates of a month, first to last. */
export const datesOf = ({ from, to }: Month): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, i) =>
    showDate(Date.parse(from) + i * dayMs),
  )

/**
 * Returns the requested month. By default, this is the last complete month or, if nothing moved in it, the current
 * one.
 *
 * @throws Refusal `arguments_invalid` if the month is in the future or before 2000
 */
export async function readMonth(
  requested: string | undefined,
  today: string,
  hasMovements: (month: Month) => Promise<boolean>,
): Promise<Month> {
  const current = monthOf(today)
  if (requested === undefined) {
    const last = monthOf(today, 1)
    return (await hasMovements(last)) ? last : current
  }
  if (requested > current.name) throw argumentRefusal('month', 'must not be in the future')
  if (requested < firstMonth) throw argumentRefusal('month', `must not be before ${firstMonth}`)
  return monthOf(`${requested}-01`)
}

/** Refuses a month whose bookings were archived. Months are archived in UTC. */
export async function refuseArchivedMonth(db: Reader, { to }: Month): Promise<void> {
  const until = await selectArchivedUntil(db)
  if (until && new Date(to) < until)
    throw argumentRefusal(
      'month',
      `must be ${until.toISOString().slice(0, 'yyyy-mm'.length)} or later, because earlier months were archived`,
    )
}
