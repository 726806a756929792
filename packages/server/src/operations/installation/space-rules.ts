import { isSupportedCurrency, maxAmount } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import { setLimit } from '../../money/approvals/limits.ts'
import { setFee } from '../../money/fees/fees.ts'
import { feeCode, feeRule } from '../../money/fees/routes.ts'
import { setPolicy } from '../../money/refunds/policies.ts'
import type { Tx } from '../../platform/db/database.ts'
import { command, type Route, type WellFormed } from '../../platform/http/commands/route.ts'
import { object, optional, withDescription } from '../../platform/http/shapes/shapes.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import { environments } from '../../platform/scope.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { writeSpaceDecision } from '../../tenants/spaces/suspension.ts'
import { returnsPaymentFee, whenShort } from '../space-settings/shapes.ts'
import { operatorsSpace, presentSpace } from './space-shapes.ts'

const limits = (what: string) =>
  withDescription(
    optional(
      Type.Array(
        object({
          currency: withDescription(
            Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
            'Three-letter ISO 4217 currency code.',
          ),
          // Required, so that a forgotten field does not remove a limit.
          value: Type.Unsafe<number | null>({
            type: ['integer', 'null'],
            minimum: 0,
            maximum: maxAmount,
            examples: [100_000],
            description: 'Limit in minor units; null to remove it.',
          }),
        }),
        { maxItems: 50 }, // limit: currencies with an approval limit that an operator sets together
      ),
    ),
    `Amounts above which another member must approve ${what}. Currencies that are not listed do not change.`,
  )

const rules = object(
  {
    fees: withDescription(
      optional(
        Type.Array(object({ code: feeCode, rule: feeRule }), { maxItems: 10 }), // limit: fees set together
      ),
      'Custom fees.',
    ),
    payoutApprovalAbove: limits('a payout'),
    refundApprovalAbove: limits('a refund'),
    refundsWhenShort: optional(whenShort),
    returnsPaymentFee: optional(returnsPaymentFee),
    reason: reasonText,
  },
  { title: 'SpaceRules' },
)
type Rules = Static<typeof rules>

/** The route for operators to set fees, approval limits and refund rules of a Space, in both environments. */
export const spaceRuleRoutes = (): Route[] => [
  command({
    url: '/v1/installation/spaces/:id/rules',
    idKind: spaceIds,
    permission: 'installation:write',
    summary: 'Set the rules of a Space',
    about: 'Fees, approval limits and refund rules, in both environments.',
    needsStepUp: true,
    result: operatorsSpace,
    body: rules,
    example: { payoutApprovalAbove: [{ currency: 'SLE', value: 100_000 }], reason: 'As agreed in November' },
    rules: [
      {
        about: ['payoutApprovalAbove[].currency', 'refundApprovalAbove[].currency'],
        says: 'Each currency must be supported.',
      },
    ],
    validate: (_db, { body }, issues) => checkCurrencies(body, issues),
    write: async (tx, call) => {
      const { id, body } = call
      const issues = new Issues()
      checkCurrencies(body, issues)
      issues.refuse()
      const space = await selectSpace(tx, id)
      if (!space) throw new Refusal('not_found', { message: 'There is no such Space.' })
      const { reason, fees = [], ...approvals } = body
      const decider = await deciderOf(tx, call, reason)
      for (const { code, rule } of fees) await setFee(tx, id, code, rule, decider)
      await setApprovals(tx, id, approvals)
      if (Object.keys(approvals).length > 0)
        await writeSpaceDecision(tx, id, decider, 'space.set', noted(approvals))
      return presentSpace(space)
    },
  }),
]

function checkCurrencies(body: WellFormed<Rules>, issues: Issues): void {
  for (const name of ['payoutApprovalAbove', 'refundApprovalAbove'] as const)
    for (const [i, limit] of (body[name] ?? []).entries())
      if (limit?.currency !== undefined && !isSupportedCurrency(limit.currency))
        issues.add(`${name}[${i}].currency`, 'is not a supported currency')
}

async function setApprovals(
  tx: Tx,
  spaceId: string,
  {
    payoutApprovalAbove = [],
    refundApprovalAbove = [],
    refundsWhenShort,
    returnsPaymentFee,
  }: Omit<Rules, 'reason'>,
): Promise<void> {
  for (const environment of environments) {
    const scope = { spaceId, environment }
    for (const { currency, value } of payoutApprovalAbove)
      await setLimit(tx, scope, 'payout', currency, limitOf(value))
    for (const { currency, value } of refundApprovalAbove)
      await setLimit(tx, scope, 'refund', currency, limitOf(value))
    await setPolicy(tx, scope, {
      ...(refundsWhenShort && { queuesWhenShort: refundsWhenShort === 'queue' }),
      ...(returnsPaymentFee !== undefined && { returnsPaymentFee }),
    })
  }
}

/** Returns the rules as the audit entry shows them. */
const noted = ({
  payoutApprovalAbove = [],
  refundApprovalAbove = [],
  refundsWhenShort,
  returnsPaymentFee,
}: Omit<Rules, 'reason'>) => {
  const limits = (all: { currency: string; value: number | null }[]) =>
    all.map(({ currency, value: above }) => ({ currency, above }))
  return {
    payoutApprovalAbove: limits(payoutApprovalAbove),
    refundApprovalAbove: limits(refundApprovalAbove),
    ...(refundsWhenShort && { refundWhenShort: refundsWhenShort }),
    ...(returnsPaymentFee !== undefined && { returnPaymentFee: returnsPaymentFee }),
  }
}

const limitOf = (value: number | null) => (value === null ? null : BigInt(value))
