import { wholeNumber } from '@pesewa/values'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { presentCaseMoney } from '../../ledger/accounts/cases.ts'
import { accountIds, caseIds } from '../../ledger/accounts/resources.ts'
import { caseMoney } from '../../ledger/accounts/shapes.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  flag,
  idOf,
  nullableTime,
  object,
  optional,
  optionalIdOf,
  ownId,
  shownText,
  text,
  textOrNull,
  timestamp,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { readId, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import { environments } from '../../platform/scope.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { payoutIds } from '../payouts/resources.ts'
import { decideCase } from './recalls.ts'
import { recallIds } from './resources.ts'
import { listRecalls, refuseRecall, returnRecall } from './returning.ts'
import { recall } from './shapes.ts'
import type { ListedRecall, Recall } from './store.ts'

const { status: recallStatus } = recall.properties
const reading = 'installation:read'
const writing = { permission: 'installation:write', needsStepUp: true }

/** The route for operators to close a case. */
export const caseClosingRoutes = (): Route[] => [
  command({
    ...writing,
    url: '/v1/installation/cases/:id/close',
    idKind: caseIds,
    summary: 'Close a case',
    about: 'Either moves its money to an account, or records that it was handled elsewhere.',
    reasons: ['state_conflict'],
    result: object(
      {
        id: ownId(caseIds),
        closeTime: withDescription(nullableTime, 'When the case was closed.'),
        ...caseMoney,
        financialTransactionReference: textOrNull(
          'Reference of the ledger lines that moved the money out of suspense.',
        ),
      },
      { title: 'ClosedCase' },
    ),
    body: object({
      account: withDescription(
        optionalIdOf(accountIds),
        'Account to be credited or debited, in the Space of the case; omit if it was handled elsewhere.',
      ),
      reason: reasonText,
    }),
    example: { reason: 'Refunded in cash' },
    write: async (tx, call) => {
      const { reason, account } = call.body
      const accountId = account === undefined ? undefined : readId(accountIds, account)
      if (account !== undefined && !accountId)
        throw argumentRefusal(
          'account',
          'does not name a financial account in the Space and environment of this case',
        )
      const closed = await decideCase(tx, call.id, await deciderOf(tx, call, reason), accountId)
      return {
        id: showId(caseIds, call.id),
        closeTime: closed.closedAt?.toISOString() ?? null,
        ...presentCaseMoney(closed),
        financialTransactionReference: closed.closingReference,
      }
    },
  }),
]

const url = '/v1/installation/recalls'

/** Its bounds are those of the recall, which the operation checks. */
const returnedMoney = object({
  currency: withDescription(
    Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
    'Three-letter ISO 4217 code.',
  ),
  value: withDescription(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1500] }),
    'Amount in the smallest unit of the currency.',
  ),
})

const operatorsRecall = object(
  {
    id: ownId(recallIds),
    spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
    environment: Type.Enum(environments, { description: 'Environment of the payout: `test` or `live`.' }),
    status: recallStatus,
    payoutId: withDescription(idOf(payoutIds), 'ID of the recalled payout.'),
    providerId: shownText('Provider of the payout.', 'm17'),
    payoutTransaction: textOrNull('The provider’s transaction id for the payout.'),
    payee: shownText('Account that was paid.', '+23276123456'),
    amount: withDescription(shownMoney, 'Recalled amount.'),
    returned: withDescription(shownMoney, 'Amount returned so far.'),
    reason: recall.properties.reason,
    note: textOrNull('A note; null if there is none.'),
    createTime: withDescription(timestamp, 'When the recall was created.'),
  },
  { title: 'OperatorsRecall' },
)
const endedRecall = object(
  {
    id: ownId(recallIds),
    status: recallStatus,
    returned: withDescription(shownMoney, 'Amount returned.'),
    financialTransactionReference: textOrNull('Reference of the ledger lines; null if nothing was returned.'),
  },
  { title: 'EndedRecall' },
)

/** Routes for operators to list recalls and to record their outcomes. */
export const operatorRecallRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url,
    permission: reading,
    summary: 'List the recalls of all Spaces',
    about: 'Oldest first, at most a thousand.',
    query: object({
      all: optional(flag('Set to true to include completed recalls.')),
    }),
    result: object(
      { recalls: arrayOf('Recalls, oldest first.', operatorsRecall) },
      { title: 'OperatorsRecalls' },
    ),
    read: async ({ query: { all = false } }) => ({ recalls: (await listRecalls(db, all)).map(present) }),
  }),
  command({
    ...writing,
    url: `${url}/:id/return`,
    idKind: recallIds,
    summary: 'Record the return of a recall',
    about: 'The money is credited to the account that paid.',
    reasons: ['state_conflict', 'reference_in_use'],
    result: endedRecall,
    body: object({
      transaction: withDescription(
        text(0, 200, { examples: ['SJK4H7L2QW'] }),
        'Id of the provider’s transaction that returned the money: 1 to 100 printable ASCII characters.',
      ),
      amount: withDescription(optional(returnedMoney), 'Amount returned; by default, the recalled amount.'),
      reason: reasonText,
    }),
    example: { transaction: 'SJK4H7L2QW', reason: 'The payee agreed' },
    write: async (tx, call) => {
      const { transaction, amount, reason } = call.body
      const returned = { transaction, amount: amount && { ...amount, value: BigInt(amount.value) } }
      return presentEnded(await returnRecall(tx, call.id, returned, await deciderOf(tx, call, reason)))
    },
  }),
  command({
    ...writing,
    url: `${url}/:id/refuse`,
    idKind: recallIds,
    summary: 'Refuse a recall',
    about: 'Records that the provider or the payee will not return the money.',
    reasons: ['state_conflict'],
    result: endedRecall,
    body: object({ reason: reasonText }),
    example: { reason: 'The payee does not agree' },
    write: async (tx, call) =>
      presentEnded(await refuseRecall(tx, call.id, await deciderOf(tx, call, call.body.reason))),
  }),
]

const present = (row: ListedRecall) => ({
  id: showId(recallIds, row.id),
  spaceId: showId(spaceIds, row.spaceId),
  environment: row.environment,
  status: row.status,
  payoutId: showId(payoutIds, row.payoutId),
  providerId: row.providerId,
  payoutTransaction: row.payoutTransaction,
  payee: row.payeeAccount,
  amount: { currency: row.currency, value: wholeNumber(row.amount) },
  returned: { currency: row.currency, value: wholeNumber(row.returned) },
  reason: row.reason,
  note: row.note,
  createTime: row.createdAt.toISOString(),
})

const presentEnded = ({ id, status, currency, returned, ledgerReference }: Recall) => ({
  id: showId(recallIds, id),
  status,
  returned: { currency, value: wholeNumber(returned) },
  financialTransactionReference: ledgerReference,
})
