import { createHmac, randomBytes } from 'node:crypto'
import { sameText } from '@pesewa/values'

const stepMs = 30_000
const digits = 6
const driftSteps = 1 // number of time steps, of 30 seconds each, by which a code may be early or late
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns a secret of 160 random bits, the length that RFC 4226 recommends and every authenticator app accepts. */
export const newSecret = (): Buffer => randomBytes(secretBytes)

export const stepAt = (at: Date): number => (at.getTime() - (at.getTime() % stepMs)) / stepMs

/**
 * Returns the six-digit code for a time step. It is HOTP (RFC 4226) with SHA-1, the only hash that all apps
 * support.
 */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const truncated = mac.readUInt32BE(offset) & 0x7fffffff
  return String(truncated % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the time step for which a code is valid (RFC 6238), which is at most one step from the present.
 * Returns `undefined` if no step later than `lastStep` matches, so that each code works only once.
 */
export function matchingStep(
  secret: Buffer,
  code: string,
  { at, lastStep }: { at: Date; lastStep: number | null },
): number | undefined {
  const present = stepAt(at)
  for (let step = present - driftSteps; step <= present + driftSteps; step++)
    if (step > (lastStep ?? -1) && sameText(code, totpCode(secret, step))) return step
  return undefined
}

/**
 * Encodes bytes in base32 (RFC 4648) without padding, the form that apps accept for manual entry. Recovery
 * codes use it, too.
 */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Returns the URI for the QR code. The issuer and the account distinguish the entries in an app. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
