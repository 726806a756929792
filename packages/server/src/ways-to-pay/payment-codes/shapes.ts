import Type, { type Static } from 'typebox'
import { money, phoneNumber, shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { orderIds, paymentIds } from '../../money/payments/resources.ts'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  clearable,
  duration,
  flag,
  freeObject,
  group,
  groupOrNull,
  idOf,
  integerOrNull,
  metadata,
  nameText,
  nullable,
  nullableText,
  object,
  optional,
  optionalReferenceTo,
  ownId,
  referenceTo,
  shownText,
  text,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { codeIds } from './resources.ts'
import { statuses } from './states.ts'
import { modes } from './store.ts'

const maxExpectedCount = 1_000_000 // limit: number of payments in a recurrent code’s target

const name = nameText(3, 64, { description: 'Description of the payment, shown on the payer’s phone.' })
const customer = object({
  name: withDescription(
    optional(personal(nameText(0, 100), 'name')),
    'Customer’s name, for your own records.',
  ),
})
const reference = text(0, 64)
export const defaultDuration = '10m' // limit: default lifetime of a code
export const defaultMode = 'one_time'

const life = duration('1s', '30d', defaultDuration) // limit: lifetime of a code
const providers = Type.Array(text(1, 64), {
  minItems: 1,
  maxItems: 10, // limit: authorized providers of a code
  description: 'Mobile money providers that may be used to pay. By default, all of them.',
  examples: [['m17', 'm18']],
})
const authorizedPhone = withDescription(
  personal(phoneNumber, 'phone'),
  'The only phone number that may pay, in E.164 format. By default, any phone can pay.',
)
const target = object(
  {
    expectedPaymentCount: withDescription(
      optional(Type.Integer({ minimum: 1, maximum: maxExpectedCount })),
      'Number of payments after which the code is completed.',
    ),
    expectedPaymentTotal: withDescription(
      optional(money),
      'Total amount of payments at which the code is completed.',
    ),
  },
  {
    minProperties: 1,
    description:
      'Target that completes a recurrent code: a number of payments, a total amount, or both, in which case the first one reached completes the code.',
  },
)
/** Omits the title of `money`, which belongs to the non-null shape. */
const amount = object(money.properties, {
  description: 'Amount in minor units. If omitted, the payer types the amount.',
})

/** Request to create a code. */
export const newPaymentCode = object(
  {
    name,
    mode: withMeanings(
      optional(Type.Enum(modes, { default: defaultMode })),
      'How often the code can be paid.',
      {
        one_time: 'once',
        recurrent: 'any number of times, until it meets its target or expires',
      },
    ),
    enable: optional(Type.Boolean({ description: 'Whether the code can be dialled.', default: true })),
    amount: optional(amount),
    duration: withDescription(optional(life), 'Time until the code expires.'),
    customer: withDescription(optional(customer), 'Customer that the code is for.'),
    reference: withDescription(optional(reference), 'Your own reference, such as an invoice number.'),
    authorizedProviders: optional(providers),
    authorizedPhoneNumber: optional(authorizedPhone),
    recurrentPaymentTarget: optional(target),
    financialAccountId: optionalReferenceTo(
      accountIds,
      'Account to credit. By default, the Space’s main account in the currency.',
    ),
    metadata: optional(metadata),
  },
  { title: 'NewPaymentCode' },
)
export type NewPaymentCode = Static<typeof newPaymentCode>

/** A change to a code. Only the given fields are changed; null resets a field to its default. */
export const paymentCodeChange = object({
  name: optional(name),
  enable: withDescription(clearable(Type.Boolean()), 'Whether the code can be dialled.'),
  amount: clearable(amount),
  duration: withDescription(clearable(life), 'New lifetime, counted from the time of this request.'),
  customer: withDescription(clearable(customer), 'Customer that the code is for.'),
  reference: withDescription(clearable(reference), 'Your own reference.'),
  authorizedProviders: clearable(providers),
  authorizedPhoneNumber: clearable(authorizedPhone),
  recurrentPaymentTarget: clearable(target),
  financialAccountId: withDescription(clearable(referenceTo(accountIds)), 'Account to credit from now on.'),
  metadata: clearable(metadata),
})
export type PaymentCodeChange = Static<typeof paymentCodeChange>

const shownAmount = nullable(object(shownMoney.properties))

export const paymentCode = object(
  {
    id: ownId(codeIds),
    mode: withMeanings(Type.Enum(modes), 'How often the code can be paid.', {
      one_time: 'once',
      recurrent: 'any number of times, until it meets its target or expires',
    }),
    status: withMeanings(Type.Enum(statuses), 'Status of the code.', {
      pending: 'it can be paid',
      processing: 'a payment is in flight, or a recurrent code has been paid and remains open',
      completed: 'paid, or its target was met',
      expired: 'not completed before it expired',
      cancelled: 'cancelled by you',
    }),
    name: shownText('Description of the payment, shown on the payer’s phone.'),
    amount: withDescription(shownAmount, 'Amount to pay; null if the payer types it.'),
    enable: flag('Whether the code can be dialled.'),
    expireTime: withDescription(timestamp, 'Time at which the code expires.'),
    customer: groupOrNull('Customer that the code is for; null if none was given.', {
      name: withDescription(
        personal(Type.String(), 'name'),
        'Customer’s name, masked for the `support` role.',
        'Fatu Kamara',
      ),
    }),
    ussdCode: shownText('Text that the payer dials.', '*715*5773920187#'),
    reference: textOrNull('Your own reference; null if none was given.'),
    authorizedProviders: withDescription(
      Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } }),
      'Ids of the mobile money providers that may be used to pay; null if all are allowed.',
    ),
    authorizedPhoneNumber: withDescription(
      personal(nullableText, 'phone'),
      'The only phone number that may pay, in E.164 format, masked for the `support` role; null if any phone can pay.',
    ),
    recurrentPaymentTarget: groupOrNull(
      'Target that completes a recurrent code when either part is reached; null if the code stays open until it expires.',
      {
        expectedPaymentCount: integerOrNull('Number of payments; null if the target has none.'),
        expectedPaymentTotal: withDescription(
          shownAmount,
          'Total amount of payments; null if the target has none.',
        ),
      },
    ),
    financialAccountId: withDescription(idOf(accountIds), 'Account to credit.'),
    processedPaymentData: groupOrNull('Last completed payment; null if there is none yet.', {
      amount: withDescription(shownMoney, 'Amount paid.'),
      orderId: withDescription(idOf(orderIds), 'Id of the paid order.'),
      paymentId: withDescription(idOf(paymentIds), 'Id of the payment, for `GET /v1/payments/{id}`.'),
      orderNumber: withDescription(
        Type.String(),
        'Twelve-digit order number, as shown on the receipt.',
        '482915037264',
      ),
      channelData: group('Details of the payment channel.', {
        providerId: withDescription(Type.String(), 'Provider of the payer’s account.', 'm17'),
        accountId: withDescription(Type.String(), 'Payer’s account, masked.', '+23276****56'),
        reference: textOrNull('Provider’s transaction id; null if the provider gave none.'),
      }),
      financialTransactionReference: withDescription(
        Type.String(),
        'Reference of the payment’s ledger entries.',
        '20261121-101500123-7k2m9x',
      ),
      metadata: withDescription(freeObject, 'Additional data; usually empty.'),
    }),
    ...ownedFields,
  },
  { title: 'PaymentCode' },
)
