import Type from 'typebox'
import { money, phoneNumber, shownMoney } from '../countries/shapes.ts'
import { movedStatuses } from '../instructions/moved-rows.ts'
import { movedFailure, movedFilters, shownFees } from '../instructions/moved-shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { personal } from '../platform/http/personal.ts'
import {
  clearable,
  createTime,
  described,
  explained,
  idOf,
  metadata,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  shownMetadata,
  text,
  updateTime,
} from '../platform/http/shapes.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { batchIds, payoutIds } from './resources.ts'

const destinationTypes = ['bank', 'momo', 'wallet'] as const

export const approval = Type.Unsafe<{ status: string; userId: string | null; time: string | null } | null>({
  type: ['object', 'null'],
  description: 'Approval by another user; null if none is needed.',
  properties: {
    status: {
      type: 'string',
      enum: ['required', 'approved', 'rejected'],
      description: 'Approval status. `required`: not decided yet; `approved`, `rejected`: decided.',
    },
    userId: {
      type: ['string', 'null'],
      description: 'ID of the user who decided; null before the decision.',
    },
    time: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it was decided; null before the decision.',
    },
  },
})

/** The payee in a response: the account is in the field of its type. */
export const shownDestination = {
  type: explained(Type.Enum(destinationTypes), 'Type of the payee’s account.', {
    bank: 'a bank account',
    momo: 'a mobile money account',
    wallet: 'a wallet',
  }),
  providerId: described(Type.String({ examples: ['m17'] }), 'Provider of the payee’s account.'),
  phoneNumber: described(
    Type.Optional(personal(Type.String({ examples: ['+23276123456'], description: 'momo' }), 'phone')),
    'For `momo`: phone number, in E.164.',
  ),
  accountNumber: described(
    Type.Optional(personal(Type.String({ examples: ['0011223344'], description: 'bank' }), 'account')),
    'For `bank`: account number.',
  ),
  walletId: described(
    Type.Optional(personal(Type.String({ examples: ['fatu@safulpay'], description: 'wallet' }), 'account')),
    'For `wallet`: wallet ID.',
  ),
}

export const payout = object(
  {
    id: ownId(payoutIds),
    status: explained(Type.Enum(movedStatuses), 'Payout status.', {
      pending: 'amount and fee are held; it is waiting to be sent or for approval',
      processing: 'the provider has it and decides its outcome',
      completed: 'the money has left',
      failed: 'no money has left, and the hold was released',
    }),
    amount: described(shownMoney, 'Amount that the payee receives.'),
    source: described(
      object({
        financialAccountId: described(idOf(accountIds), 'Account that pays the amount and the fee.'),
        transactionReference: described(
          nullableText,
          'Reference of the ledger lines; null until the payout is completed.',
        ),
      }),
      'Source of the money.',
    ),
    destination: described(
      object({
        ...shownDestination,
        transactionReference: described(
          nullableText,
          'The provider’s transaction; null if there is none yet.',
        ),
      }),
      'The payee.',
    ),
    fees: shownFees('Fees, charged in addition to the amount.'),
    failureDetail: movedFailure,
    approval,
    batchId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The batch of the payout; null if it was created on its own.',
    }),
    createUserId: described(idOf(userIds), 'The user who created it.'),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'Payout' },
)

const payeeFields = {
  phoneNumber: described(optional(personal(phoneNumber, 'phone')), 'For `momo` only.'),
  accountNumber: described(
    optional(personal(text(1, 64, { examples: ['0011223344'] }), 'account')),
    'For `bank`: 6 to 20 digits and letters.',
  ),
  walletId: described(
    optional(personal(text(1, 64, { examples: ['fatu@safulpay'] }), 'account')),
    'For `wallet`: 3 to 64 characters.',
  ),
}

/** Describes a destination of one type: the fields of the others are null or absent. */
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
      type: { type: 'string', const: type, description: 'Type of the payee’s account.' },
      providerId: text(1, 64, { examples: [example], description: 'Provider of the account.' }),
      [field]: payeeFields[field],
      ...Object.fromEntries(
        others.map((name) => [name, { type: 'null', description: `Not for \`${type}\`.` }]),
      ),
    },
  }
}

export const newPayout = object({
  amount: described(money, 'Amount that the payee receives. The fee is charged in addition.'),
  destination: described(
    object(
      {
        type: described(
          Type.Enum(destinationTypes),
          'Type of the payee’s account, which decides the field that contains it.',
        ),
        providerId: described(
          text(1, 64, { examples: ['m17'] }),
          'Provider of the account, from `GET /v1/momos`, `/v1/banks` or `/v1/wallets`.',
        ),
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
    'The payee: an account at a provider, in the field of its type.',
  ),
  source: described(
    optional(
      object({ financialAccountId: described(optional(referenceTo(accountIds)), 'Account that pays.') }),
    ),
    'Source of the money. Defaults to the Space’s main account in the currency.',
  ),
  metadata: optional(metadata),
})

export const payoutChange = object({ metadata: clearable(metadata) })

export const payoutFilters = object({
  sourceFinancialAccountId: described(optional(referenceTo(accountIds)), 'Only payouts from this account.'),
  sourceTransactionReference: described(
    optional(text(0, 64)),
    'Only the payout with this ledger reference.',
    '20261121-101500123-7k2m9x',
  ),
  destinationTransactionReference: described(
    optional(text(0, 64)),
    'Only the payout with this provider transaction.',
    'MP251121.1015.A12345',
  ),
  batchId: described(optional(referenceTo(batchIds)), 'Only payouts of this batch.'),
  ...movedFilters,
})
