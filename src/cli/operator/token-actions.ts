import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { spaceIds, tokenIds, userIds } from '../../tenants/spaces/resources.ts'
import * as spaces from '../../tenants/spaces/spaces.ts'
import { selectTokens, type Token } from '../../tenants/spaces/store.ts'
import { inTransaction, withDatabase } from './command-database.ts'

/** Lifetime of a token, as typed and in milliseconds; `ms` is `null` if the token never expires. */
export type TokenLife = { text: string; ms: number | null }

export type TokenOptions = {
  user: string
  environment: string
  name: string
  scopes: string[]
  expires: TokenLife
  spaces?: string[]
  ips?: string[]
}

export const createToken = (options: TokenOptions) =>
  inTransaction(async (tx) => {
    const { token, text } = await spaces.createToken(tx, {
      userId: options.user,
      // `createToken` refuses unknown environments.
      environment: options.environment as Environment,
      name: options.name,
      scopes: options.scopes,
      lifeMs: options.expires.ms,
      spaceIds: options.spaces ?? null,
      networks: options.ips ?? null,
    })
    return {
      id: showId(tokenIds, token.id),
      token: text,
      expireTime: token.expiresAt,
      // Printed because there will be no other warning before the token expires.
      expiresAfter: options.expires.text,
    }
  })

export const listTokens = () =>
  withDatabase(async (db) => ({ tokens: (await selectTokens(db)).map(describeToken) }))

export const showToken = (id: string) =>
  withDatabase(async (db) => {
    const token = (await selectTokens(db)).find((each) => each.id === id)
    if (!token) throw new Refusal('not_found', { message: 'There is no such token.' })
    return describeToken(token)
  })

export const revokeToken = (id: string) =>
  inTransaction(async (tx) => {
    await spaces.revokeToken(tx, id)
    return { id: showId(tokenIds, id), revoked: true }
  })

const describeToken = (token: Token) => ({
  id: showId(tokenIds, token.id),
  userId: showId(userIds, token.userId),
  environment: token.environment,
  name: token.name,
  status: statusOf(token, new Date()),
  scopes: token.scopes,
  spaceIds: token.spaceIds?.map((id) => showId(spaceIds, id)) ?? null,
  networks: token.networks,
  createTime: token.createdAt,
  expireTime: token.expiresAt,
  revokeTime: token.revokedAt,
  lastUseTime: token.lastUsedAt,
})

function statusOf({ revokedAt, expiresAt }: Token, now: Date) {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}
