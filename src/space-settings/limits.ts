import { listApprovalsAbove, setApprovalAbove } from '../payouts/approval.ts'
import type { Tx } from '../platform/db/database.ts'
import { durationMs } from '../platform/duration.ts'
import type { Scope } from '../platform/scope.ts'
import { listRefundApprovalsAbove, setRefundApprovalAbove } from '../refunds/approval.ts'
import { type LimitKind, removeProposal, saveProposal, selectProposals } from './proposal-store.ts'

/** Above `value` minor units another member approves; a currency that is not there needs nobody. */
export type Limits = { currency: string; value: number }[]

const proposedFor = '7d' // limit: how long a raised limit of approval waits for a second member

export const proposalsSince = (at: Date) => new Date(at.getTime() - durationMs(proposedFor))

const kinds = {
  payout: { list: listApprovalsAbove, set: setApprovalAbove },
  refund: { list: listRefundApprovalsAbove, set: setRefundApprovalAbove },
}

/**
 * Replaces the limits of a kind. One that becomes stricter counts at once. One that is raised or removed would take a second person out
 * of what they approve now: it is proposed, and counts when another member wants the same.
 */
export async function replaceLimits(
  tx: Tx,
  scope: Scope,
  kind: LimitKind,
  limits: Limits,
  { userId, at }: { userId: string; at: Date },
): Promise<void> {
  const { list, set } = kinds[kind]
  const before = new Map((await list(tx, scope)).map(({ currency, amount }) => [currency, amount]))
  const wanted = new Map(limits.map(({ currency, value }) => [currency, BigInt(value)]))
  const open = await selectProposals(tx, scope, proposalsSince(at))
  for (const currency of new Set([...before.keys(), ...wanted.keys()])) {
    const [was, amount] = [before.get(currency), wanted.get(currency) ?? null]
    // Also what somebody else's form said of a limit that it did not change.
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
