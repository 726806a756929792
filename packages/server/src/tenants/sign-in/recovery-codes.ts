import { randomBytes } from 'node:crypto'
import { byteas } from '../../platform/db/arrays.ts'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { hashSecret } from '../spaces/tokens.ts'
import { base32 } from './totp.ts'

export const recoveryCodeCount = 10 // limit: recovery codes per user
/**
 * Length of a code. Its 80 random bits cannot be brute-forced on any hardware, so a fast hash is sufficient for
 * storing it.
 */
const codeBytes = 10

/**
 * Replaces all of the user's recovery codes, and returns the new ones, which have the form
 * `ABCD-EFGH-IJKL-MNOP`. Only their hashes are stored.
 */
export async function replaceRecoveryCodes(tx: HomeTx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(codeBytes)))
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`
    insert into recovery_codes (user_id, hash)
    select ${userId}, hash from unnest(${byteas(codes.map(hashSecret))}::bytea[]) hash`)
  return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'))
}

/** Uses up a recovery code. Returns false if the user has no such code. Case, spaces and hyphens are ignored. */
export const useRecoveryCode = async (tx: HomeTx, userId: string, code: string): Promise<boolean> =>
  (await tx.run(sql`
    delete from recovery_codes where user_id = ${userId} and hash = ${hashSecret(normalizeCode(code))}`)) > 0

const normalizeCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

export const countRecoveryCodes = async (db: Reader, userId: string): Promise<number> =>
  (
    await db.only<{ count: number }>(sql`
      select count(*)::int as count from recovery_codes where user_id = ${userId}`)
  ).count
