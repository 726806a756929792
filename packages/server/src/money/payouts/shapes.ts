import Type from 'typebox'
import { money, phoneNumber, shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  clearable,
  group,
  idOf,
  metadata,
  object,
  optional,
  optionalReferenceTo,
  optionalText,
  ownId,
  shownText,
  text,
  textOrNull,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { transactionStatuses } from '../../rails/instructions/transaction-rows.ts'
import {
  shownFees,
  transactionFailure,
  transactionFilterShapes,
} from '../../rails/instructions/transaction-shapes.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { approval } from '../approvals/shapes.ts'
import { batchIds, payoutIds } from './resources.ts'

const destinationTypes = ['bank', 'momo', 'wallet'] as const

/** The payee in a response. The account is in the field for its type. */
export const shownDestination = {
  type: withMeanings(Type.Enum(destinationTypes), 'Type of the payee’s account.', {
    bank: 'a bank account',
    momo: 'a mobile money account',
    wallet: 'a wallet',
  }),
  providerId: shownText('Provider of the payee’s account.', 'm17'),
  phoneNumber: withDescription(
    Type.Optional(personal(shownText('momo', '+23276123456'), 'phone')),
    'For `momo`: phone number in E.164 format.',
  ),
  accountNumber: withDescription(
    Type.Optional(personal(shownText('bank', '0011223344'), 'account')),
    'For `bank`: account number.',
  ),
  walletId: withDescription(
    Type.Optional(personal(shownText('wallet', 'fatu@safulpay'), 'account')),
    'For `wallet`: ID of the payee’s wallet.',
  ),
}

export const payout = object(
  {
    id: ownId(payoutIds),
    status: withMeanings(Type.Enum(transactionStatuses), 'Payout status.', {
      pending: 'the amount and the fee are held; the payout is waiting to be sent or approved',
      processing: 'the payout is with the provider, which determines its outcome',
      completed: 'the money has left the account',
      failed: 'no money has left the account, and the hold was released',
    }),
    amount: withDescription(shownMoney, 'Amount that the payee receives.'),
    source: group('Source of the money.', {
      financialAccountId: withDescription(idOf(accountIds), 'Account that pays the amount and the fee.'),
      transactionReference: textOrNull('Reference of the ledger lines; null until the payout is completed.'),
    }),
    destination: group('The payee.', {
      ...shownDestination,
      transactionReference: textOrNull('The provider’s transaction ID; null if there is none yet.'),
    }),
    fees: shownFees('Fees, charged in addition to the amount.'),
    failureDetail: transactionFailure,
    approval,
    batchId: textOrNull('Batch of the payout; null if it was created individually.'),
    createUserId: withDescription(idOf(userIds), 'User who created the payout.'),
    ...ownedFields,
  },
  { title: 'Payout' },
)

const payeeFields = {
  phoneNumber: withDescription(optional(personal(phoneNumber, 'phone')), 'Only for `momo`.'),
  accountNumber: withDescription(
    optional(personal(text(1, 64, { examples: ['0011223344'] }), 'account')),
    'For `bank`: 6 to 20 digits and letters.',
  ),
  walletId: withDescription(
    optional(personal(text(1, 64, { examples: ['fatu@safulpay'] }), 'account')),
    'For `wallet`: 3 to 64 characters.',
  ),
}

/** Returns the shape of a destination of one type. The fields for other types must be null or absent. */
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
        others.map((name) => [name, { type: 'null', description: `Not allowed for \`${type}\`.` }]),
      ),
    },
  }
}

export const newPayout = object({
  amount: withDescription(money, 'Amount that the payee receives. The fee is charged in addition.'),
  destination: withDescription(
    object(
      {
        type: withDescription(
          Type.Enum(destinationTypes),
          'Type of the payee’s account, which determines the field that contains the account.',
        ),
        providerId: withDescription(
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
    'The payee: an account at a provider, in the field for its type.',
  ),
  source: optional(
    group('Source of the money. By default, the Space’s main account in the currency.', {
      financialAccountId: optionalReferenceTo(accountIds, 'Account that pays.'),
    }),
  ),
  metadata: optional(metadata),
})

export const payoutChange = object({ metadata: clearable(metadata) })

export const payoutFilters = object({
  sourceFinancialAccountId: optionalReferenceTo(accountIds, 'Only payouts from this account.'),
  sourceTransactionReference: optionalText(
    64,
    'Only the payout with this ledger reference.',
    '20261121-101500123-7k2m9x',
  ),
  destinationTransactionReference: optionalText(
    64,
    'Only the payout with this provider transaction ID.',
    'MP251121.1015.A12345',
  ),
  batchId: optionalReferenceTo(batchIds, 'Only payouts in this batch.'),
  ...transactionFilterShapes,
})
