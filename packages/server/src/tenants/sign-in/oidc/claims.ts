import { isEmail } from '../../spaces/spaces.ts'
import type { SignInSettings } from '../settings.ts'

/** An identity provider's claims about a user. */
export type Claims = {
  issuer: string
  subject: string
  /** Email address that the provider has verified. */
  verifiedEmail: string | undefined
  /** Time at which the user authenticated. Some providers do not send it. */
  authenticatedAt: Date | undefined
  groups: string[]
}

const maxSubject = 255 // maximum number of characters in a subject identifier, as specified by OpenID Connect
const maxGroups = 1_000 // maximum number of groups read per user

/** Reads the claims of a verified ID token, merged with those from the userinfo endpoint. */
export function readClaims(
  rawClaims: Record<string, unknown>,
  { oidcEmailVerifiedClaim, oidcGroupsClaim }: SignInSettings,
): Claims {
  const { iss, sub, email, auth_time: authTime } = rawClaims
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '' || sub.length > maxSubject)
    throw new Error('the claims have no valid issuer or subject')
  const groups = [rawClaims[oidcGroupsClaim] ?? []].flat().slice(0, maxGroups)
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail:
      typeof email === 'string' && isEmail(email) && isTrue(rawClaims[oidcEmailVerifiedClaim])
        ? email
        : undefined,
    authenticatedAt: typeof authTime === 'number' ? dateOf(authTime) : undefined,
    groups: groups.filter((group) => typeof group === 'string'),
  }
}

/** Returns whether a claim is true. Some providers send it as text or as a number. */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

/** Returns an authentication time as a date, but not later than now. */
const dateOf = (seconds: number) => new Date(Math.min(seconds * 1_000, Date.now()))
