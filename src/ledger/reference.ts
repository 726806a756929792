import { randomText } from '../platform/ids.ts'

/** The reference that all lines of one posting share: `<yyyymmdd>-<hhmmssmmm>-<6 base32>`, UTC. */
export function newReference(at: Date): string {
  const digits = at.toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(8, 17)}-${randomText(6)}`
}
