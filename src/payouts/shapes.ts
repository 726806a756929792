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
  description: 'Whether another user has to approve, and who decided when; null where nobody has to.',
  properties: {
    status: {
      type: 'string',
      enum: ['required', 'approved', 'rejected'],
      description:
        'Where it stands. `required`: nobody has decided yet; `approved`, `rejected`: somebody has.',
    },
    userId: { type: ['string', 'null'], description: 'Who decided; null while nobody has.' },
    time: { type: ['string', 'null'], format: 'date-time', description: 'When; null while nobody has.' },
  },
})

/** The payee as a response shows it: the account in the field of its type. */
export const shownDestination = {
  type: explained(Type.Enum(destinationTypes), 'What kind of account the payee has.', {
    bank: 'a bank account',
    momo: 'a phone with mobile money',
    wallet: 'a wallet',
  }),
  providerId: described(Type.String({ examples: ['m17'] }), 'Who holds the payee’s account.'),
  phoneNumber: described(
    Type.Optional(personal(Type.String({ examples: ['+23276123456'], description: 'momo' }), 'phone')),
    'Of `momo`: the phone, in E.164.',
  ),
  accountNumber: described(
    Type.Optional(personal(Type.String({ examples: ['0011223344'], description: 'bank' }), 'account')),
    'Of `bank`: the account.',
  ),
  walletId: described(
    Type.Optional(personal(Type.String({ examples: ['fatu@safulpay'], description: 'wallet' }), 'account')),
    'Of `wallet`: the payee’s name or number there.',
  ),
}

export const payout = object(
  {
    id: ownId(payoutIds),
    status: explained(Type.Enum(movedStatuses), 'What has become of it.', {
      pending: 'amount and fee are held; it waits for its turn or for approval',
      processing: 'the provider has it and alone decides its outcome',
      completed: 'the money has left',
      failed: 'no money has left, and nothing is held any more',
    }),
    amount: described(shownMoney, 'What the payee gets.'),
    source: described(
      object({
        financialAccountId: described(idOf(accountIds), 'The account that pays amount and fee.'),
        transactionReference: described(
          nullableText,
          'Finds the lines of the ledger that it wrote; null before it is completed.',
        ),
      }),
      'Where the money comes from.',
    ),
    destination: described(
      object({
        ...shownDestination,
        transactionReference: described(
          nullableText,
          'The provider’s own transaction; null before there is one.',
        ),
      }),
      'The payee.',
    ),
    fees: shownFees('What it costs, on top of the amount.'),
    failureDetail: movedFailure,
    approval,
    batchId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The batch that it is of; null where it was created alone.',
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
  phoneNumber: described(optional(personal(phoneNumber, 'phone')), 'Of `momo`, and of no other.'),
  accountNumber: described(
    optional(personal(text(1, 64, { examples: ['0011223344'] }), 'account')),
    'Of `bank`: 6 to 20 digits and letters.',
  ),
  walletId: described(
    optional(personal(text(1, 64, { examples: ['fatu@safulpay'] }), 'account')),
    'Of `wallet`: 3 to 64 characters.',
  ),
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
      type: { type: 'string', const: type, description: 'What kind of account the payee has.' },
      providerId: text(1, 64, { examples: [example], description: 'Who holds the account.' }),
      [field]: payeeFields[field],
      ...Object.fromEntries(
        others.map((name) => [name, { type: 'null', description: `Not of \`${type}\`.` }]),
      ),
    },
  }
}

export const newPayout = object({
  amount: described(money, 'What the payee gets; the fee comes on top.'),
  destination: described(
    object(
      {
        type: described(
          Type.Enum(destinationTypes),
          'What kind of account the payee has; it decides which field names it.',
        ),
        providerId: described(
          text(1, 64, { examples: ['m17'] }),
          'Who holds the account, as `GET /v1/momos`, `/v1/banks` and `/v1/wallets` list them.',
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
      object({ financialAccountId: described(optional(referenceTo(accountIds)), 'The account that pays.') }),
    ),
    'Where the money comes from; left out: the Space’s main account of the currency.',
  ),
  metadata: optional(metadata),
})

export const payoutChange = object({ metadata: clearable(metadata) })

export const payoutFilters = object({
  sourceFinancialAccountId: described(optional(referenceTo(accountIds)), 'Only payouts from this account.'),
  sourceTransactionReference: described(
    optional(text(0, 64)),
    'Only the payout that wrote this posting of the ledger.',
    '20261121-101500123-7k2m9x',
  ),
  destinationTransactionReference: described(
    optional(text(0, 64)),
    'Only the payout with this transaction of the provider.',
    'MP251121.1015.A12345',
  ),
  batchId: described(optional(referenceTo(batchIds)), 'Only payouts of this batch.'),
  ...movedFilters,
})
