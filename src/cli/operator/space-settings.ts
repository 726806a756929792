import { wholeNumber } from '@pesewa/values'
import { setLimit } from '../../money/approvals/limits.ts'
import type { FeeCode } from '../../money/fees/codes.ts'
import { setFee } from '../../money/fees/fees.ts'
import { setPolicy } from '../../money/refunds/policies.ts'
import { Refusal } from '../../platform/refusals.ts'
import { environments } from '../../platform/scope.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { writeSpaceDecision } from '../../tenants/spaces/suspension.ts'
import { byCommand, describeSpace } from './actions.ts'
import { inTransaction } from './command-database.ts'

export type NewFee = { code: FeeCode; rule: string }

/**
 * The amount in minor units above which another user must approve a payout or refund; `null` if no amount
 * requires approval.
 */
export type NewApproval = { currency: string; above: bigint | null }
export type SpaceOptions = {
  fee?: NewFee[]
  payoutApprovalAbove?: NewApproval[]
  refundApprovalAbove?: NewApproval[]
  refundWhenShort?: 'refuse' | 'queue'
  returnPaymentFee?: boolean
}

export const setSpace = (
  id: string,
  {
    fee = [],
    payoutApprovalAbove = [],
    refundApprovalAbove = [],
    refundWhenShort,
    returnPaymentFee,
  }: SpaceOptions,
) =>
  inTransaction(async (tx) => {
    const space = await selectSpace(tx, id)
    if (!space) throw new Refusal('not_found', { message: 'There is no such Space.' })
    const setsRules =
      payoutApprovalAbove.length + refundApprovalAbove.length > 0 ||
      refundWhenShort !== undefined ||
      returnPaymentFee !== undefined
    if (fee.length === 0 && !setsRules)
      throw new Refusal('arguments_invalid', {
        message: 'Nothing to set: add --fee, --payout-approval-above or another option.',
      })
    for (const { code, rule } of fee) await setFee(tx, id, code, rule, byCommand('spaces set'))
    for (const environment of environments) {
      const scope = { spaceId: id, environment }
      for (const { currency, above } of payoutApprovalAbove)
        await setLimit(tx, scope, 'payout', currency, above)
      for (const { currency, above } of refundApprovalAbove)
        await setLimit(tx, scope, 'refund', currency, above)
      await setPolicy(tx, scope, {
        ...(refundWhenShort && { queuesWhenShort: refundWhenShort === 'queue' }),
        ...(returnPaymentFee !== undefined && { returnsPaymentFee: returnPaymentFee }),
      })
    }
    if (setsRules)
      await writeSpaceDecision(tx, id, byCommand('spaces set'), 'space.set', {
        payoutApprovalAbove: payoutApprovalAbove.map(noted),
        refundApprovalAbove: refundApprovalAbove.map(noted),
        ...(refundWhenShort && { refundWhenShort }),
        ...(returnPaymentFee !== undefined && { returnPaymentFee }),
      })
    return describeSpace(space)
  })

const noted = ({ currency, above }: NewApproval) => ({
  currency,
  above: above === null ? null : wholeNumber(above),
})
