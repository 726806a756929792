import { isEmail } from '../../spaces/spaces.ts'
import type { SignInSettings } from '../settings.ts'

/** Claims of an identity provider about a user. */
export type Claims = {
  issuer: string
  subject: string
  /** Email address that the provider has verified. */
  verifiedEmail: string | undefined
  /** Time when the user authenticated; some providers do not send it. */
  authenticatedAt: Date | undefined
  groups: string[]
}

const maxSubject = 255 // characters of a subject at an identity provider, as in OpenID Connect
const maxGroups = 1_000 // groups read per user

/** Reads the claims of a verified ID token, merged with those of the userinfo endpoint. */
export function readClaims(
  rawClaims: Record<string, unknown>,
  { oidcEmailVerifiedClaim, oidcGroupsClaim }: SignInSettings,
): Claims {
  const { iss, sub, email, auth_time: authTime } = rawClaims
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '' || sub.length > maxSubject)
    throw new Error('claims without a subject')
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

/** Some providers send the claim as text or as a number. */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

/** Limits an authentication time to the present. */
const dateOf = (seconds: number) => new Date(Math.min(seconds * 1_000, Date.now()))
