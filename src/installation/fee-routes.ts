import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { feeCodes } from '../payments/fee-codes.ts'
import { type FeePreview, previewFees } from '../payments/fee-preview.ts'
import { describeFees, judgeFeeRule, readFeeRule, setFee } from '../payments/fee-rules.ts'
import type { Reader } from '../platform/db/database.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { command, type Route, read } from '../platform/http/route.ts'
import { described, explained, object, optional, text, timestamp } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { deciderOf } from '../spaces/deciders.ts'
import { spaceIds } from '../spaces/resources.ts'
import { findSpace } from '../spaces/spaces.ts'
import { environmentShape } from './connection-shapes.ts'
import { reasonText } from './space-shapes.ts'

const url = '/v1/installation/spaces/:id'

const rule = text(2, 200, {
  pattern: '^\\d{1,3}(\\.\\d{1,4})?%(,min=[A-Z]{3}:\\d{1,15}){0,10}$',
  examples: ['1.5%,min=SLE:50'],
  description: 'Percent with at most four decimals, and the least that is charged, in minor units.',
})
const ruleRule = {
  about: ['rule'],
  says: '`rule` is at most 100 percent, and names currencies that the service knows.',
}
const code = explained(Type.Enum(feeCodes), 'What the fee is for.', {
  payment: 'each payment',
  payout: 'each payout',
  refund: 'each refund',
})

const fees = object(
  {
    fees: described(
      Type.Array(
        object({
          code,
          rule: described(
            Type.String({ examples: ['1%'] }),
            'What it costs: parts of the amount, and a minimum per currency.',
          ),
          isStandard: Type.Boolean({ description: 'The Space has no rule of its own.' }),
        }),
      ),
      'What each kind of movement costs.',
    ),
  },
  { title: 'Fees' },
)

const feePreview = object(
  {
    since: described(timestamp, 'Payments of this time or later.'),
    payments: described(Type.Integer({ examples: [240] }), 'How many payments were counted.'),
    isWhole: Type.Boolean({
      description: 'These are all completed payments of the last 30 days, not only the newest 10 000.',
    }),
    sums: described(
      Type.Array(
        object({
          payments: described(Type.Integer(), 'How many payments.', 240),
          collected: described(shownMoney, 'What they came to.'),
          charged: described(shownMoney, 'What they cost.'),
          wouldBe: described(shownMoney, 'What they would have cost under the other rule.'),
        }),
      ),
      'One for each currency.',
    ),
  },
  { title: 'FeePreview' },
)

/** What Spaces pay for payments, payouts and refunds, as the operator sets it. */
export const feeRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url: `${url}/fees`,
    idKind: spaceIds,
    permission: 'installation:read',
    summary: 'Retrieve what a Space pays',
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
    summary: 'Set what a Space pays for payments, payouts or refunds, in both environments',
    needsStepUp: true,
    result: fees,
    body: object({ code, rule, reason: reasonText }),
    example: { code: 'payment', rule: '1.5%,min=SLE:50', reason: 'As agreed in November' },
    rules: [ruleRule],
    judge: (_db, { body }, faults) => {
      if (body.rule !== undefined) judgeFeeRule(body.rule, 'rule', faults)
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
    summary: 'Compute what the payments of the last 30 days would have cost a Space under another rule',
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
