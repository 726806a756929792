import { type Sql, sql } from '../platform/db/sql.ts'
import { firstId, lastId, randomText } from '../platform/ids.ts'

/** The reference that all lines of one posting share: `<yyyymmdd>-<hhmmssmmm>-<6 base32>`, UTC. */
export const newReference = (at: Date) => `${firstReferenceAt(at)}-${randomText(6)}`

/** Whether a reference was made for this moment. */
export const isOf = (reference: string, at: Date) => reference.startsWith(firstReferenceAt(at))

/** Stands before every reference of that time or later, and after every earlier one. */
export function firstReferenceAt(at: Date): string {
  const text = at.toISOString()
  return `${text.slice(0, 4)}${text.slice(5, 7)}${text.slice(8, 10)}-${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17, 19)}${text.slice(20, 23)}`
}

const form = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})-[0-9a-z]{6}$/

/** Between which ids the lines of a reference are: both begin with its millisecond. `undefined`: none has it. */
function idBounds(reference: string): { first: string; last: string } | undefined {
  const [year, month, day, hours, minutes, seconds, ms] = (form.exec(reference) ?? []).slice(1)
  const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${ms}Z`)
  return Number.isNaN(at.getTime()) ? undefined : { first: firstId(at), last: lastId(at) }
}

/** The lines of a posting: the ids begin with the millisecond that its reference tells. */
export const ofReference = (reference: string): Sql => {
  const bounds = idBounds(reference)
  if (!bounds) return sql`and false`
  return sql`and reference = ${reference} and id between ${bounds.first} and ${bounds.last}`
}
