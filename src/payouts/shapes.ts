import Type from 'typebox'
import { money, phoneNumber, shownMoney } from '../countries/shapes.ts'
import { movedStatuses } from '../instructions/moved-rows.ts'
import { movedFilters } from '../instructions/moved-shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import {
  clearable,
  failureDetail,
  freeObject,
  idOf,
  metadata,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { failureCodes } from '../providers/connector.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { batchIds, payoutIds } from './resources.ts'

const destinationTypes = ['bank', 'momo', 'wallet'] as const

export const approval = Type.Unsafe<{ status: string; userId: string | null; time: string | null } | null>({
  type: ['object', 'null'],
  description: 'Whether another user has to approve, and who decided when; null where nobody has to.',
  properties: {
    status: { type: 'string', enum: ['required', 'approved', 'rejected'] },
    userId: { type: ['string', 'null'] },
    time: { type: ['string', 'null'], format: 'date-time' },
  },
})

/** The payee as a response shows it: the account in the field of its type. */
export const shownDestination = {
  type: Type.Enum(destinationTypes),
  providerId: Type.String({ examples: ['m17'] }),
  phoneNumber: Type.Optional(Type.String({ examples: ['+23276123456'], description: 'momo' })),
  accountNumber: Type.Optional(Type.String({ examples: ['0011223344'], description: 'bank' })),
  walletId: Type.Optional(Type.String({ examples: ['fatu@safulpay'], description: 'wallet' })),
}

export const payout = object(
  {
    id: idOf(payoutIds),
    status: Type.Enum(movedStatuses),
    amount: shownMoney,
    source: object({ financialAccountId: idOf(accountIds), transactionReference: nullableText }),
    destination: object({ ...shownDestination, transactionReference: nullableText }),
    fees: Type.Array(object({ code: Type.String(), amount: shownMoney, metadata: freeObject })),
    failureDetail: failureDetail(failureCodes),
    approval,
    batchId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The batch that it is of; null where it was created alone.',
    }),
    createUserId: idOf(userIds),
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'Payout' },
)

const payeeFields = {
  phoneNumber: optional(phoneNumber),
  accountNumber: optional(text(1, 64, { examples: ['0011223344'] })),
  walletId: optional(text(1, 64, { examples: ['fatu@safulpay'] })),
}

/** One with a payee of its type: the fields of the others are null or left out. */
function destinationOf(
  type: (typeof destinationTypes)[number],
  field: keyof typeof payeeFields,
  example: string,
) {
  const others = Object.keys(payeeFields).filter((name) => name !== field)
  return {
    type: 'object',
    required: ['type', 'providerId', field],
    additionalProperties: false,
    properties: {
      type: { type: 'string', const: type },
      providerId: text(1, 64, { examples: [example] }),
      [field]: payeeFields[field],
      ...Object.fromEntries(others.map((name) => [name, { type: 'null' }])),
    },
  }
}

export const newPayout = object({
  amount: money,
  destination: object(
    {
      type: Type.Enum(destinationTypes),
      providerId: text(1, 64, { examples: ['m17'] }),
      ...payeeFields,
    },
    {
      document: {
        oneOf: [
          destinationOf('momo', 'phoneNumber', 'm17'),
          destinationOf('bank', 'accountNumber', 'slb001'),
          destinationOf('wallet', 'walletId', 'dw001'),
        ],
      },
    },
  ),
  source: optional(object({ financialAccountId: optional(referenceTo(accountIds)) })),
  metadata: optional(metadata),
})

export const payoutChange = object({ metadata: clearable(metadata) })

export const payoutFilters = object({
  sourceFinancialAccountId: optional(referenceTo(accountIds)),
  sourceTransactionReference: optional(text(0, 64)),
  destinationTransactionReference: optional(text(0, 64)),
  batchId: optional(referenceTo(batchIds)),
  ...movedFilters,
})
