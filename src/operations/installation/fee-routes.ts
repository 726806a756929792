import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { feeCodes } from '../../money/payments/fee-codes.ts'
import { type FeePreview, previewFees } from '../../money/payments/fee-preview.ts'
import { describeFees, parseFeeRule, readFeeRule, setFee } from '../../money/payments/fee-rules.ts'
import type { Reader } from '../../platform/db/database.ts'
import { wholeNumber } from '../../platform/http/json.ts'
import { command, type Route, read } from '../../platform/http/route.ts'
import {
  object,
  optional,
  text,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { environmentShape } from '../../rails/providers/shapes.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { findSpace } from '../../tenants/spaces/spaces.ts'
import { reasonText } from './space-shapes.ts'

const url = '/v1/installation/spaces/:id'

const rule = text(2, 200, {
  pattern: '^\\d{1,3}(\\.\\d{1,4})?%(,min=[A-Z]{3}:\\d{1,15}){0,10}$',
  examples: ['1.5%,min=SLE:50'],
  description: 'Percentage with at most four decimals, and minimum fees in minor units.',
})
const ruleRule = {
  about: ['rule'],
  says: '`rule` must not exceed 100 percent, and its currencies must be supported.',
}
const code = withMeanings(Type.Enum(feeCodes), 'Type of transaction that the fee is charged for.', {
  payment: 'each payment',
  payout: 'each payout',
  refund: 'each refund',
})

const fees = object(
  {
    fees: withDescription(
      Type.Array(
        object({
          code,
          rule: withDescription(
            Type.String({ examples: ['1%'] }),
            'Percentage of the amount, and a minimum per currency.',
          ),
          isStandard: Type.Boolean({
            description: 'True if the standard rule applies because the Space has no specific one.',
          }),
        }),
      ),
      'Fees by type of transaction.',
    ),
  },
  { title: 'Fees' },
)

const feePreview = object(
  {
    since: withDescription(timestamp, 'Start of the period.'),
    payments: withDescription(Type.Integer({ examples: [240] }), 'Number of payments counted.'),
    isWhole: Type.Boolean({
      description:
        'True if all completed payments of the last 30 days are included, not only the newest 10,000.',
    }),
    sums: withDescription(
      Type.Array(
        object({
          payments: withDescription(Type.Integer(), 'Number of payments.', 240),
          collected: withDescription(shownMoney, 'Total amount.'),
          charged: withDescription(shownMoney, 'Fees charged.'),
          wouldBe: withDescription(shownMoney, 'Fees under the previewed rule.'),
        }),
      ),
      'Totals by currency.',
    ),
  },
  { title: 'FeePreview' },
)

/** Routes for operators to set the fees that Spaces pay. */
export const feeRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url: `${url}/fees`,
    idKind: spaceIds,
    permission: 'installation:read',
    summary: 'Retrieve the fees of a Space',
    result: fees,
    read: async ({ id }) => {
      await checkSpace(db, id)
      return { fees: await describeFees(db, { spaceId: id, environment: 'live' }) }
    },
  }),
  command({
    url: `${url}/fees`,
    idKind: spaceIds,
    permission: 'installation:write',
    summary: 'Set a fee of a Space for payments, payouts or refunds, in both environments',
    needsStepUp: true,
    result: fees,
    body: object({ code, rule, reason: reasonText }),
    example: { code: 'payment', rule: '1.5%,min=SLE:50', reason: 'As agreed in November' },
    rules: [ruleRule],
    validate: (_db, { body }, issues) => {
      if (body.rule !== undefined) parseFeeRule(body.rule, 'rule', issues)
    },
    write: async (tx, { id, body, userId }) => {
      await checkSpace(tx, id)
      await setFee(tx, id, body.code, body.rule, await deciderOf(tx, userId, body.reason), 'rule')
      return { fees: await describeFees(tx, { spaceId: id, environment: 'live' }) }
    },
  }),
  read({
    url: `${url}/fee-preview`,
    idKind: spaceIds,
    permission: 'installation:read',
    summary: 'Preview the fees of the last 30 days under another rule',
    query: object({ rule, environment: optional(environmentShape) }),
    result: feePreview,
    read: async ({ id, query, now }) => {
      await checkSpace(db, id)
      const { environment = 'live' } = query
      return presentPreview(
        await previewFees(db, { spaceId: id, environment }, readFeeRule(query.rule, 'rule'), now),
      )
    },
  }),
]

async function checkSpace(db: Reader, id: string): Promise<void> {
  if (!(await findSpace(db, id))) throw new Refusal('not_found', { message: 'There is no such Space.' })
}

const presentPreview = ({ since, payments, isWhole, sums }: FeePreview) => ({
  since: since.toISOString(),
  payments,
  isWhole,
  sums: sums.map(({ currency, payments: count, ...values }) => {
    const shown = (value: bigint) => ({ currency, value: wholeNumber(value) })
    return {
      payments: count,
      collected: shown(values.collected),
      charged: shown(values.charged),
      wouldBe: shown(values.wouldBe),
    }
  }),
})
