import { createBatches } from '../../platform/batches.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Session, selectSessionsByHash } from './session-store.ts'
import {
  type MemberRole,
  type Membership,
  selectOperators,
  selectRoles,
  selectTokensByHash,
  type Token,
} from './store.ts'

export type LookUps = ReturnType<typeof createLookUps>

/**
 * Returns look-ups of tokens, sessions, roles and operators. Concurrent look-ups share a query. This helps if
 * many Spaces are active, because most requests then miss the cache: cached rows usually expire before the same
 * token is used again.
 */
export function createLookUps(db: Database) {
  const tokens = createBatches<Buffer, Token | undefined>({
    run: async (hashes) => {
      const rows = await selectTokensByHash(db, hashes)
      const byHash = new Map(rows.map(({ hash, ...token }) => [hash.toString('base64'), token]))
      return hashes.map((hash) => ({ answer: byHash.get(hash.toString('base64')) }))
    },
  })
  const sessions = createBatches<Buffer, Session | undefined>({
    run: async (hashes) => {
      const rows = await selectSessionsByHash(db, hashes)
      const byHash = new Map(rows.map(({ hash, ...session }) => [hash.toString('base64'), session]))
      return hashes.map((hash) => ({ answer: byHash.get(hash.toString('base64')) }))
    },
  })
  const roles = createBatches<Membership, MemberRole | undefined>({
    run: async (memberships) => {
      const roles = new Map((await selectRoles(db, memberships)).map((row) => [nameOf(row), row]))
      return memberships.map((membership) => ({ answer: roles.get(nameOf(membership)) }))
    },
  })
  const operators = createBatches<string, boolean>({
    run: async (userIds) => {
      const ids = new Set((await selectOperators(db, userIds)).map(({ id }) => id))
      return userIds.map((id) => ({ answer: ids.has(id) }))
    },
  })
  return {
    tokenOf: (hash: Buffer) => tokens.submit('', hash),
    sessionOf: (hash: Buffer) => sessions.submit('', hash),
    roleOf: (membership: Membership) => roles.submit('', membership),
    isOperator: (userId: string) => operators.submit('', userId),
  }
}

const nameOf = ({ spaceId, userId }: Membership) => `${spaceId} ${userId}`
