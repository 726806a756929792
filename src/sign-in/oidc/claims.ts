import { isEmail } from '../../spaces/spaces.ts'
import type { SignInSettings } from '../settings.ts'

/** What an identity provider says of somebody. */
export type Claims = {
  issuer: string
  subject: string
  /** Of a mailbox that the provider has made sure is theirs. */
  verifiedEmail: string | undefined
  /** When they showed who they are; not every provider says. */
  authenticatedAt: Date | undefined
  groups: string[]
}

const maxSubject = 255 // limit: characters of a person’s name at an identity provider, as the standard has it
const maxGroups = 1_000 // limit: groups of a person that are looked at

/** `said`: the claims of an ID token that was checked, and of the provider's page about the person. */
export function claimsOf(
  said: Record<string, unknown>,
  { oidcEmailVerifiedClaim, oidcGroupsClaim }: SignInSettings,
): Claims {
  const { iss, sub, email, auth_time: authTime } = said
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '' || sub.length > maxSubject)
    throw new Error('claims without a subject')
  const groups = [said[oidcGroupsClaim] ?? []].flat().slice(0, maxGroups)
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail:
      typeof email === 'string' && isEmail(email) && isTrue(said[oidcEmailVerifiedClaim]) ? email : undefined,
    authenticatedAt: typeof authTime === 'number' ? dateOf(authTime) : undefined,
    groups: groups.filter((group) => typeof group === 'string'),
  }
}

/** Some providers write it as text, or as a number. */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

/** Nobody has shown in the future who they are. */
const dateOf = (seconds: number) => new Date(Math.min(seconds * 1_000, Date.now()))
