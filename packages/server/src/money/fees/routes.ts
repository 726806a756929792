import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import {
  flag,
  idOf,
  listOf,
  object,
  shownText,
  text,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { feeCodes } from './codes.ts'
import { describeFees, listOwnFees, removeFee, setFee } from './fees.ts'
import { feeRuleErrors } from './rules.ts'

const url = '/v1/installation/spaces/:id'

export const feeRule = Type.Refine(
  text(2, 200, {
    examples: ['1.5%,min=SLE:50'],
    description:
      'Percentage with at most four decimals, at most 100, and minimum fees in minor units of supported currencies.',
  }),
  (value) => feeRuleErrors(value).length === 0,
  (value) => feeRuleErrors(String(value)).join('; '),
)
export const feeCode = withMeanings(Type.Enum(feeCodes), 'Type of transaction that the fee is charged for.', {
  payment: 'each payment',
  payout: 'each payout',
  refund: 'each refund',
})

const fees = object(
  {
    fees: listOf('Fees by type of transaction.', {
      code: feeCode,
      rule: shownText('Percentage of the amount, and a minimum per currency.', '1%'),
      isStandard: flag('True if the standard rule applies because the Space has no specific one.'),
    }),
  },
  { title: 'Fees' },
)

const customFees = object(
  {
    fees: listOf('Custom fees, by Space.', {
      spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
      name: shownText('Name of the Space.', 'Country Cloth Shop'),
      code: feeCode,
      rule: shownText('Rule that replaces the standard one.', '1.5%'),
    }),
  },
  { title: 'CustomFees' },
)

/** The route for operators to list custom fees. */
export const customFeeRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url: '/v1/installation/fees',
    permission: 'installation:read',
    summary: 'List the custom fees of all Spaces',
    result: customFees,
    read: async () => ({
      fees: (await listOwnFees(db)).map(({ spaceId, ...own }) => ({
        spaceId: showId(spaceIds, spaceId),
        ...own,
      })),
    }),
  }),
]

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
    summary: 'Set a fee of a Space',
    about: 'For payments, payouts or refunds, in both environments.',
    needsStepUp: true,
    result: fees,
    body: object({ code: feeCode, rule: feeRule, reason: reasonText }),
    example: { code: 'payment', rule: '1.5%,min=SLE:50', reason: 'As agreed in November' },
    write: async (tx, call) => {
      const { id, body } = call
      await checkSpace(tx, id)
      await setFee(tx, id, body.code, body.rule, await deciderOf(tx, call, body.reason))
      return { fees: await describeFees(tx, { spaceId: id, environment: 'live' }) }
    },
  }),
  command({
    url: `${url}/fees/remove`,
    idKind: spaceIds,
    permission: 'installation:write',
    summary: 'Remove a custom fee of a Space',
    about: 'The standard fee then applies again.',
    reasons: ['state_conflict'],
    needsStepUp: true,
    result: fees,
    body: object({ code: feeCode, reason: reasonText }),
    example: { code: 'payment', reason: 'As agreed in November' },
    write: async (tx, call) => {
      const { id, body } = call
      await checkSpace(tx, id)
      if (!(await removeFee(tx, id, body.code, await deciderOf(tx, call, body.reason))))
        throw new Refusal('state_conflict', { message: `This Space has no custom ${body.code} fee.` })
      return { fees: await describeFees(tx, { spaceId: id, environment: 'live' }) }
    },
  }),
]

export async function checkSpace(db: Reader, id: string): Promise<void> {
  if (!(await selectSpace(db, id))) throw new Refusal('not_found', { message: 'There is no such Space.' })
}
