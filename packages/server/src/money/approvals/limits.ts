import type { Reader, Tx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import type { Scope } from '../../platform/scope.ts'
import { markRules } from '../../tenants/spaces/chained-changes.ts'
import {
  deleteLimit,
  deleteProposal,
  type LimitKind,
  selectLimits,
  selectProposals,
  upsertLimit,
  upsertProposal,
} from './store.ts'

/**
 * Requires another user's approval for a payout or refund of more than `amount` minor units. A smaller one also
 * needs approval if, with it, the total that its creator has made without approval within a day would exceed
 * `amount`; for payouts, the total that its payee has received counts, too. `null` removes the requirement.
 * Existing payouts and refunds are not affected.
 */
export async function setLimit(
  tx: Tx,
  scope: Scope,
  kind: LimitKind,
  currency: string,
  amount: bigint | null,
): Promise<void> {
  await markRules(tx, scope, `${kind}_approvals_above`)
  if (amount === null) await deleteLimit(tx, { scope, kind, currency })
  else await upsertLimit(tx, { scope, kind, currency, amount })
}

const proposedFor = '7d' // limit: how long a proposed increase of an approval limit waits for a second member

/** Returns the proposals that a second member can still confirm. */
export const findProposals = (db: Reader, scope: Scope, at: Date) =>
  selectProposals(db, scope, new Date(at.getTime() - durationMs(proposedFor)))

/**
 * Replaces the approval limits for payouts or refunds. Amounts above `value`, in minor units, need another
 * member's approval. Amounts in currencies that are not listed need none. A stricter limit takes effect
 * immediately. Raising or removing a limit would bypass the second person whose approval is currently required,
 * so such a change is stored as a proposal, and takes effect when another member makes the same change.
 */
export async function replaceLimits(
  tx: Tx,
  scope: Scope,
  kind: LimitKind,
  wanted: { currency: string; value: number }[],
  { userId, at }: { userId: string; at: Date },
): Promise<void> {
  const stored = (await selectLimits(tx, scope)).filter((limit) => limit.kind === kind)
  const before = new Map(stored.map(({ currency, amount }) => [currency, amount]))
  const after = new Map(wanted.map(({ currency, value }) => [currency, BigInt(value)]))
  const open = await findProposals(tx, scope, at)
  for (const currency of new Set([...before.keys(), ...after.keys()])) {
    const [was, amount] = [before.get(currency), after.get(currency) ?? null]
    // This limit is unchanged. A form also sends back the limits that were not edited.
    if (was === amount) continue
    const isLooser = was !== undefined && (amount === null || amount > was)
    const isSeconded = open.some(
      (one) =>
        one.kind === kind && one.currency === currency && one.amount === amount && one.proposedBy !== userId,
    )
    if (isLooser && !isSeconded) {
      await upsertProposal(tx, { scope, kind, currency, amount, proposedBy: userId, proposedAt: at })
      continue
    }
    await setLimit(tx, scope, kind, currency, amount)
    await deleteProposal(tx, { scope, kind, currency })
  }
}
