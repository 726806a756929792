import { createBatches } from '../platform/batches.ts'
import type { Database } from '../platform/db/database.ts'
import type { Role } from './permissions.ts'
import { type Membership, selectRoles, selectTokensByHash, type Token } from './store.ts'

/**
 * Reads tokens and roles; what is needed at the same time shares a query. Where many Spaces call, nearly every request is
 * the first of its token for a while.
 */
export function createLookUps(db: Database) {
  const tokens = createBatches<Buffer, Token | undefined>({
    run: async (hashes) => {
      const rows = await selectTokensByHash(db, hashes)
      const byHash = new Map(rows.map(({ hash, ...token }) => [hash.toString('base64'), token]))
      return hashes.map((hash) => ({ answer: byHash.get(hash.toString('base64')) }))
    },
  })
  const roles = createBatches<Membership, Role | undefined>({
    run: async (memberships) => {
      const roles = new Map((await selectRoles(db, memberships)).map((row) => [nameOf(row), row.role]))
      return memberships.map((membership) => ({ answer: roles.get(nameOf(membership)) }))
    },
  })
  return {
    tokenOf: (hash: Buffer) => tokens.submit('', hash),
    roleOf: (membership: Membership) => roles.submit('', membership),
  }
}

const nameOf = ({ spaceId, userId }: Membership) => `${spaceId} ${userId}`
