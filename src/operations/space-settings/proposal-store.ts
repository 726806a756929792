import { bigint, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Scope } from '../../platform/scope.ts'

export type LimitKind = 'payout' | 'refund'

const proposals = table('approval_limit_proposals', ['kind', 'currency'], {
  kind: textOf<LimitKind>(),
  currency: text,
  /** In minor units; null if no approval would be required. */
  amount: orNull(bigint),
  proposedBy: uuid,
  proposedAt: time,
})
export type LimitProposal = RowOf<typeof proposals>

/** Returns the proposals that were made after `since`. */
export const selectProposals = (db: Reader, { spaceId, environment }: Scope, since: Date) =>
  db.query<LimitProposal>(sql`
    select ${proposals.columns} from approval_limit_proposals
    where space_id = ${spaceId} and environment = ${environment} and proposed_at > ${since}
    order by kind, currency`)

const upsert = proposals.upsert('amount', 'proposedBy', 'proposedAt')

export const saveProposal = (tx: Tx, scope: Scope, proposal: LimitProposal) =>
  tx.run(upsert([{ ...proposal, scope }]))

export const removeProposal = (
  tx: Tx,
  { spaceId, environment }: Scope,
  { kind, currency }: Pick<LimitProposal, 'kind' | 'currency'>,
) =>
  tx.run(sql`
    delete from approval_limit_proposals
    where space_id = ${spaceId} and environment = ${environment} and kind = ${kind} and currency = ${currency}`)
