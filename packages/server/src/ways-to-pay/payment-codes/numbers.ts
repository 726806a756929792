import type { HomeDatabase } from '../../platform/db/database.ts'
import { globalName } from '../../platform/db/scoped.ts'
import { freeLostClaims, openClaims } from '../../platform/http/commands/claims.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Seals } from '../../platform/seals.ts'
import { daysAgo } from '../../tenants/spaces/since.ts'
import { claimNumbers, freeNumbers, selectLostNumbers } from './store.ts'

type NumberParts = { home: HomeDatabase; seals: Seals }

/** Opens the claims of numbers for codes that merchants create. */
export const openNumberClaims = ({ home, seals }: NumberParts) =>
  openClaims(home, {
    derive: ({ scope, idempotencyKey }, attempt) =>
      digitsOf(seals.fingerprint('number of a code', `${globalName(scope, idempotencyKey)} ${attempt}`)),
    insert: claimNumbers,
  })

/** Opens the claims of numbers for codes of checkout sessions, whose ids take the place of the idempotency key. */
export const openSessionNumberClaims = ({ home, seals }: NumberParts) =>
  openClaims(home, {
    derive: ({ idempotencyKey: sessionId }, attempt) =>
      digitsOf(seals.fingerprint('number of a session', `${sessionId} ${attempt}`)),
    insert: claimNumbers,
  })

/** Frees numbers that were claimed a day ago or earlier, and whose codes were not created. */
export const freeLostNumbers = ({ db, home }: Pick<Platform, 'db' | 'home'>): Promise<void> =>
  freeLostClaims(home, daysAgo(1), (...part) => selectLostNumbers(db, ...part), freeNumbers)

/** Returns ten digits from a keyed hash. Eight bytes are enough for all digits to be equally likely. */
const digitsOf = (fingerprint: string): string =>
  String(Buffer.from(fingerprint, 'base64url').readBigUInt64BE() % 10_000_000_000n).padStart(10, '0')
