import { randomText } from '../platform/ids.ts'

/** The reference that all lines of one posting share: `<yyyymmdd>-<hhmmssmmm>-<6 base32>`, UTC. */
export const newReference = (at: Date) => `${firstReferenceAt(at)}-${randomText(6)}`

/** Stands before every reference of that time or later, and after every earlier one. */
export function firstReferenceAt(at: Date): string {
  const digits = at.toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(8, 17)}`
}
