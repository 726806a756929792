import { setApprovalAbove } from '../../money/payouts/approval.ts'
import { selectApprovalsAbove } from '../../money/payouts/approval-store.ts'
import { listRefundApprovalsAbove, setRefundApprovalAbove } from '../../money/refunds/approval.ts'
import type { Tx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import type { Scope } from '../../platform/scope.ts'
import { type LimitKind, removeProposal, saveProposal, selectProposals } from './proposal-store.ts'

/**
 * Approval limits, in minor units. Amounts above `value` need another member's approval. Amounts in currencies
 * that are not listed need none.
 */
export type ApprovalLimits = { currency: string; value: number }[]

const proposedFor = '7d' // limit: how long a proposed increase of an approval limit waits for a second member

export const proposalsSince = (at: Date) => new Date(at.getTime() - durationMs(proposedFor))

const kinds = {
  payout: { list: selectApprovalsAbove, set: setApprovalAbove },
  refund: { list: listRefundApprovalsAbove, set: setRefundApprovalAbove },
}

/**
 * Replaces the approval limits for payouts or refunds. A stricter limit takes effect immediately. Raising or
 * removing a limit would bypass the second person whose approval is currently required, so such a change is
 * stored as a proposal, and takes effect when another member makes the same change.
 */
export async function replaceLimits(
  tx: Tx,
  scope: Scope,
  kind: LimitKind,
  limits: ApprovalLimits,
  { userId, at }: { userId: string; at: Date },
): Promise<void> {
  const { list, set } = kinds[kind]
  const before = new Map((await list(tx, scope)).map(({ currency, amount }) => [currency, amount]))
  const wanted = new Map(limits.map(({ currency, value }) => [currency, BigInt(value)]))
  const open = await selectProposals(tx, scope, proposalsSince(at))
  for (const currency of new Set([...before.keys(), ...wanted.keys()])) {
    const [was, amount] = [before.get(currency), wanted.get(currency) ?? null]
    // This limit is unchanged. A form also sends back the limits that were not edited.
    if (was === amount) continue
    const isLooser = was !== undefined && (amount === null || amount > was)
    const isSeconded = open.some(
      (one) =>
        one.kind === kind && one.currency === currency && one.amount === amount && one.proposedBy !== userId,
    )
    if (isLooser && !isSeconded) {
      await saveProposal(tx, scope, { kind, currency, amount, proposedBy: userId, proposedAt: at })
      continue
    }
    await set(tx, scope, currency, amount)
    await removeProposal(tx, scope, { kind, currency })
  }
}
