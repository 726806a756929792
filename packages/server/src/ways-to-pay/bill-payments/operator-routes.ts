import { wholeNumber } from '@pesewa/values'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  flag,
  idOf,
  object,
  opaqueText,
  optional,
  shownText,
  text,
  textOrNull,
  timestamp,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import type { Followers } from '../../rails/instructions/follower.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { assignBill, closeBill, listBills } from './assigning.ts'
import type { StoredBill } from './store.ts'

export type BillOperatorParts = Pick<Platform, 'db' | 'log' | 'seals'> & {
  openFollowers(): Promise<Followers>
}

const url = '/v1/installation/bills'
const writing = { permission: 'installation:write', needsStepUp: true }

const reasons = {
  reference: 'nothing is payable under this reference',
  amount: 'the amount does not match',
  payer: 'the payer or provider does not match',
  order_paid: 'the order was already paid another way',
} as const satisfies Record<NonNullable<StoredBill['reason']>, string>

const bill = object(
  {
    environment: environmentShape,
    connection: shownText('Name of the connection.', 'mpesa'),
    transaction: shownText('The provider’s transaction number.', 'SJK4H7L2QW'),
    status: Type.Enum(['allocated', 'unallocated', 'closed'] as const, {
      description:
        '`allocated`: applied to a payment; `unallocated`: to be decided; `closed`: handled elsewhere.',
    }),
    reason: textOrNull('Why it is unallocated.'),
    amount: withDescription(shownMoney, 'Amount paid.'),
    accountReference: shownText('Reference that the payer entered.', '2604417195'),
    spaceId: textOrNull('Space that the reference belongs to; null if there is none.'),
    payTime: withDescription(timestamp, 'When it was paid, according to the provider.'),
    closedBy: textOrNull('Operator who closed it.'),
    closingReason: textOrNull('Reason given for closing it.'),
  },
  { title: 'Bill' },
)

const key = {
  environment: environmentShape,
  connection: withDescription(text(1, 64, { examples: ['mpesa'] }), 'Name of the connection.'),
  transaction: withDescription(
    text(1, 200, { examples: ['SJK4H7L2QW'] }),
    'The provider’s transaction number.',
  ),
}
const example = { environment: 'test', connection: 'mpesa', transaction: 'SJK4H7L2QW' }

/** Routes for operators to list manual payments, and to decide on those that could not be allocated. */
export const billOperatorRoutes = (parts: BillOperatorParts): Route[] => [
  read({
    url,
    permission: 'installation:read',
    summary: 'List manual payments',
    about: 'Oldest first, at most a thousand.',
    query: object({
      all: optional(flag('Set to true to include allocated and closed payments.')),
    }),
    result: object({ bills: arrayOf('Manual payments, oldest first.', bill) }, { title: 'Bills' }),
    read: async ({ query: { all = false } }) => ({ bills: (await listBills(parts.db, all)).map(present) }),
  }),
  command({
    ...writing,
    url: `${url}/assign`,
    summary: 'Assign a manual payment to a payment code',
    about: 'Regardless of the code’s amount or status.',
    reasons: ['not_found', 'state_conflict'],
    result: object(
      { paymentId: withDescription(idOf(paymentIds), 'ID of the payment.') },
      { title: 'AssignedBill' },
    ),
    body: object({
      ...key,
      code: withDescription(
        opaqueText(1, 64, { examples: ['2604417195'] }),
        'Ten-digit payment code that the payer meant to pay.',
      ),
      reason: reasonText,
    }),
    example: { ...example, code: '2604417195', reason: 'The payer wrote their name instead' },
    write: async (tx, call) => {
      const { code, reason, ...key } = call.body
      const { log, seals } = parts
      const recording = { log, seals, followers: await parts.openFollowers() }
      return { paymentId: await assignBill(tx, recording, key, code, await deciderOf(tx, call, reason)) }
    },
  }),
  command({
    ...writing,
    url: `${url}/close`,
    summary: 'Close a manual payment',
    about: 'For an unallocated payment that was handled elsewhere.',
    reasons: ['not_found', 'state_conflict'],
    result: object(
      {
        connection: shownText('Name of the connection.', 'mpesa'),
        transaction: shownText('The provider’s transaction number.', 'SJK4H7L2QW'),
        status: Type.Enum(['closed'] as const, { description: 'Always `closed`.' }),
      },
      { title: 'ClosedBill' },
    ),
    body: object({ ...key, reason: reasonText }),
    example: { ...example, reason: 'Refunded in the portal' },
    write: async (tx, call) => {
      const { reason, ...key } = call.body
      await closeBill(tx, key, await deciderOf(tx, call, reason))
      return { connection: key.connection, transaction: key.transaction, status: 'closed' as const }
    },
  }),
]

const present = (row: StoredBill) => ({
  environment: row.environment,
  connection: row.connection,
  transaction: row.transaction,
  status: row.status,
  reason: row.reason && reasons[row.reason],
  amount: { currency: row.currency, value: wholeNumber(row.amount) },
  accountReference: row.accountReference,
  spaceId: row.spaceId && showId(spaceIds, row.spaceId),
  payTime: row.paidAt.toISOString(),
  closedBy: row.closedBy,
  closingReason: row.closingReason,
})
