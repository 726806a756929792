import { findCountry } from '../../countries/countries.ts'
import { joinDatabase } from '../../database.ts'
import { mainAccount } from '../../ledger/accounts.ts'
import { type FeeCode, setFee } from '../../payments/fee-rules.ts'
import { setApprovalAbove } from '../../payouts/approval.ts'
import { type Database, openDatabase, type Tx } from '../../platform/db/database.ts'
import { checkSchema } from '../../platform/db/migrate.ts'
import { showId } from '../../platform/ids.ts'
import { must } from '../../platform/must.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { setRefundApprovalAbove } from '../../refunds/approval.ts'
import { setPolicy } from '../../refunds/policies.ts'
import { readSettings } from '../../slices.ts'
import { spaceIds, tokenIds, userIds } from '../../spaces/resources.ts'
import * as spaces from '../../spaces/spaces.ts'

// What the operator's commands do: each opens the database, does its work and returns what is to be printed.

export const createSpace = ({ name, country }: { name: string; country: string }) =>
  inTransaction(async (tx) => {
    const space = await spaces.createSpace(tx, { name, country: country.toUpperCase() })
    const currency = must(findCountry(space.country), 'country of a Space').currency.code
    for (const environment of ['test', 'live'] as const)
      await mainAccount(tx, { spaceId: space.id, environment }, currency, space.createdAt)
    return describeSpace(space)
  })

export const listSpaces = () =>
  withDatabase(async (db) => ({ spaces: (await spaces.listSpaces(db)).map(describeSpace) }))

export type NewFee = { code: FeeCode; rule: string }

/** Above so many minor units another user has to approve; `null`: none has to. */
export type NewApproval = { currency: string; above: bigint | null }
type SpaceOptions = {
  fee?: NewFee[]
  payoutApprovalAbove?: NewApproval[]
  refundApprovalAbove?: NewApproval[]
  refundWhenShort?: 'refuse' | 'queue'
  returnPaymentFee?: boolean
}

export const setSpace = (
  id: string,
  { fee = [], payoutApprovalAbove = [], refundApprovalAbove = [], ...policy }: SpaceOptions,
) =>
  inTransaction(async (tx) => {
    const space = await spaces.findSpace(tx, id)
    if (!space) throw new Refusal('not_found', { message: 'There is no such Space.' })
    const approvals = payoutApprovalAbove.length + refundApprovalAbove.length
    if (fee.length + approvals + Object.keys(policy).length === 0)
      throw new Refusal('arguments_invalid', {
        message: 'Nothing to set: add --fee, --payout-approval-above or another option.',
      })
    for (const { code, rule } of fee) await setFee(tx, id, code, rule)
    for (const { currency, above } of payoutApprovalAbove) await setApprovalAbove(tx, id, currency, above)
    for (const { currency, above } of refundApprovalAbove)
      await setRefundApprovalAbove(tx, id, currency, above)
    await setPolicy(tx, id, {
      ...(policy.refundWhenShort && { queuesWhenShort: policy.refundWhenShort === 'queue' }),
      ...(policy.returnPaymentFee !== undefined && { returnsPaymentFee: policy.returnPaymentFee }),
    })
    return describeSpace(space)
  })

export const addUser = ({ email }: { email: string }) =>
  inTransaction(async (tx) => ({ id: showId(userIds, (await spaces.addUser(tx, email)).id), email }))

export const setMember = ({ space, user, role }: { space: string; user: string; role: string }) =>
  inTransaction(async (tx) => {
    await spaces.setMember(tx, { spaceId: space, userId: user, role })
    return { spaceId: showId(spaceIds, space), userId: showId(userIds, user), role }
  })

/** How long a token works, as it was written and in milliseconds; `null`: for ever. */
export type TokenLife = { text: string; ms: number | null }

type TokenOptions = {
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
      // What is none is refused, as the user's word.
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
      // Nothing else says before that day that it will stop working.
      expiresAfter: options.expires.text,
    }
  })

export const listTokens = () =>
  withDatabase(async (db) => ({ tokens: (await spaces.listTokens(db)).map(describeToken) }))

export const revokeToken = (id: string) =>
  inTransaction(async (tx) => {
    await spaces.revokeToken(tx, id)
    return { id: showId(tokenIds, id), revoked: true }
  })

const describeSpace = ({ id, name, country, createdAt }: spaces.Space) => ({
  id: showId(spaceIds, id),
  name,
  country,
  createTime: createdAt,
})

const describeToken = (token: spaces.Token) => ({
  id: showId(tokenIds, token.id),
  userId: showId(userIds, token.userId),
  environment: token.environment,
  name: token.name,
  scopes: token.scopes,
  spaceIds: token.spaceIds?.map((id) => showId(spaceIds, id)) ?? null,
  networks: token.networks,
  expireTime: token.expiresAt,
  revokeTime: token.revokedAt,
  lastUseTime: token.lastUsedAt,
})

export const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  withDatabase((db) => db.transaction(work))

/** The database of the running program, or one that runs for as long as the work does. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const database = await joinDatabase(readSettings(process.env))
  const db = openDatabase(database.connection, { maxConnections: 2, onIdleError: () => {} })
  try {
    await checkSchema(db.pool)
    return await work(db)
  } finally {
    await db.close()
    await database.stop()
  }
}
