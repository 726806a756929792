import { selectServerSettings } from '../../operations/installation/health-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Settings } from '../../slices.ts'
import { type HealthCheck, type HealthFinding, need, ok, problem } from './checkup.ts'

/** The version of PostgreSQL that this version of Pesewa embeds, and the day on which it was released. */
export const packaged = { versionNumber: 180_004, releasedOn: '2026-05-14' }

/**
 * Returns the check of whether the embedded server has the latest fixes. There is no such check for a separate
 * server, because its operating system updates it.
 */
export const embeddedChecks = (
  open: () => Promise<Database>,
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
): HealthCheck[] =>
  databaseUrl
    ? []
    : [
        {
          name: 'embedded server',
          async run() {
            const { versionNumber } = await selectServerSettings(await need(open(), 'the database'))
            return checkEmbeddedServer(versionNumber, new Date())
          },
        },
      ]

const dayMs = 86_400_000
const graceMs = 30 * dayMs // time allowed to update the embedded server after a PostgreSQL release

/**
 * Compares the version of the running server with the installed version and with the release schedule.
 *
 * @param running `server_version_num` of the server
 */
export function checkEmbeddedServer(running: number, now: Date): HealthFinding {
  const { versionNumber, releasedOn } = packaged
  const says = `PostgreSQL ${versionText(running)}`
  if (running < versionNumber)
    return problem(
      `${says} is running, but ${versionText(versionNumber)} is installed`,
      'Stop all nodes that use this data folder, then start them again.',
    )
  const missed = releaseDays(new Date(releasedOn), new Date(now.getTime() - graceMs))
  if (missed.length === 0) return ok(`${says}, released on ${releasedOn}`)
  return problem(
    `${says} was released on ${releasedOn}; newer fixes were scheduled for ${missed.join(' and ')}`,
    'Upgrade Pesewa, or set DATABASE_URL to a PostgreSQL server that your system updates.',
  )
}

const versionText = (number: number) => `${Math.floor(number / 10_000)}.${number % 10_000}`

const releaseMonths = [1, 4, 7, 10]

/**
 * Returns the days after `from`, up to and including `to`, on which PostgreSQL releases are scheduled. These
 * are the second Thursdays of February, May, August and November. https://www.postgresql.org/developer/roadmap/
 */
function releaseDays(from: Date, to: Date): string[] {
  const days: string[] = []
  for (let year = from.getUTCFullYear(); year <= to.getUTCFullYear(); year++)
    for (const month of releaseMonths) {
      const firstWeekday = new Date(Date.UTC(year, month)).getUTCDay()
      const day = new Date(Date.UTC(year, month, 8 + ((4 - firstWeekday + 7) % 7)))
      if (day > from && day <= to) days.push(day.toISOString().slice(0, 10))
    }
  return days
}
