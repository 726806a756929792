import { type Sql, sql } from '../../platform/db/sql.ts'
import { firstId, lastId, randomText } from '../../platform/ids.ts'

/** Returns a new reference, which all lines of a posting share: `<yyyymmdd>-<hhmmssmmm>-<6 base32>` in UTC. */
export const newReference = (at: Date) => `${firstReferenceAt(at)}-${randomText(6)}`

/** Returns whether a reference contains this time. */
export const hasTimestamp = (reference: string, at: Date) => reference.startsWith(firstReferenceAt(at))

/** Returns a text that sorts before all references of this time or later, and after all earlier ones. */
export const firstReferenceAt = (at: Date) =>
  at
    .toISOString()
    .replace(/[-:.Z]/g, '')
    .replace('T', '-')

const form = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})-[0-9a-z]{6}$/

/** Returns the time that a reference contains, or an invalid date if the reference is malformed. */
export function referenceTime(reference: string): Date {
  const [year, month, day, hours, minutes, seconds, ms] = (form.exec(reference) ?? []).slice(1)
  return new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${ms}Z`)
}

/** Selects the lines of a posting, whose ids begin with the time that their reference contains. */
export function whereReference(reference: string): Sql {
  const at = referenceTime(reference)
  if (Number.isNaN(at.getTime())) return sql`and false`
  return sql`and reference = ${reference} and id between ${firstId(at)} and ${lastId(at)}`
}
