import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import { object, text, withDescription, withMeanings } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { feeCodes } from './codes.ts'
import { describeFees, setFee } from './fees.ts'
import { parseFeeRule } from './rules.ts'

const url = '/v1/installation/spaces/:id'

export const feeRule = text(2, 200, {
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
    body: object({ code, rule: feeRule, reason: reasonText }),
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
]

export async function checkSpace(db: Reader, id: string): Promise<void> {
  if (!(await selectSpace(db, id))) throw new Refusal('not_found', { message: 'There is no such Space.' })
}
