import Type, { type Static } from 'typebox'
import { money, phoneNumber, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { orderIds, paymentIds } from '../payments/resources.ts'
import { personal } from '../platform/http/personal.ts'
import {
  clearable,
  createTime,
  described,
  duration,
  explained,
  freeObject,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  shownMetadata,
  text,
  timestamp,
  updateTime,
} from '../platform/http/shapes.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { codeIds } from './resources.ts'
import { modes, statuses } from './store.ts'

const maxExpectedCount = 1_000_000 // limit: payments that a recurrent code expects

const name = nameText(3, 64, { description: 'What is paid for, as the payer reads it on the handset.' })
const customer = object({
  name: described(
    optional(personal(nameText(0, 100), 'name')),
    'What the customer is called; for your own use.',
  ),
})
const reference = text(0, 64)
export const defaultDuration = '10m' // limit: the life of a code by default
export const defaultMode = 'one_time'

const life = duration('1s', '30d', defaultDuration) // limit: the life of a code
const providers = Type.Array(text(1, 64), {
  minItems: 1,
  maxItems: 10, // limit: providers that a code names
  description: 'Mobile money providers that may pay; left out: all.',
  examples: [['m17', 'm18']],
})
const authorizedPhone = described(
  personal(phoneNumber, 'phone'),
  'The only phone that may pay. Without it every phone may.',
)
const target = object(
  {
    expectedPaymentCount: described(
      optional(Type.Integer({ minimum: 1, maximum: maxExpectedCount })),
      'How many payments complete it.',
    ),
    expectedPaymentTotal: described(optional(money), 'What sum of payments completes it.'),
  },
  { minProperties: 1, description: 'Completes a recurrent code: whichever of count and total comes first.' },
)
/** Without the title of `money`, which is that of the shape without null. */
const amount = object(money.properties, {
  description: 'In whole minor units; left out: the payer types it.',
})

/** A code as a merchant requests it. */
export const newPaymentCode = object(
  {
    name,
    mode: explained(optional(Type.Enum(modes, { default: defaultMode })), 'How often it can be paid.', {
      one_time: 'once',
      recurrent: 'again and again, until its target is met or its time is over',
    }),
    enable: optional(Type.Boolean({ description: 'Whether dials are taken.', default: true })),
    amount: optional(amount),
    duration: described(optional(life), 'How long it can be paid.'),
    customer: described(optional(customer), 'Whom it is for.'),
    reference: described(optional(reference), 'Your own word for it, such as an invoice.'),
    authorizedProviders: optional(providers),
    authorizedPhoneNumber: optional(authorizedPhone),
    recurrentPaymentTarget: optional(target),
    financialAccountId: described(
      optional(referenceTo(accountIds)),
      'The account that is credited; left out: the Space’s main account of the currency.',
    ),
    metadata: optional(metadata),
  },
  { title: 'NewPaymentCode' },
)
export type NewPaymentCode = Static<typeof newPaymentCode>

/** Only named fields change; null clears. */
export const paymentCodeChange = object({
  name: optional(name),
  enable: described(clearable(Type.Boolean()), 'Whether dials are taken.'),
  amount: clearable(amount),
  duration: described(clearable(life), 'How long it can be paid, counted from its creation.'),
  customer: described(clearable(customer), 'Whom it is for.'),
  reference: described(clearable(reference), 'Your own word for it.'),
  authorizedProviders: clearable(providers),
  authorizedPhoneNumber: clearable(authorizedPhone),
  recurrentPaymentTarget: clearable(target),
  financialAccountId: described(
    clearable(referenceTo(accountIds)),
    'The account that is credited from now on.',
  ),
  metadata: clearable(metadata),
})
export type PaymentCodeChange = Static<typeof paymentCodeChange>

/** An object of a response that may be null. */
const nullable = <P extends Type.TProperties>(properties: P) =>
  Type.Unsafe<Static<Type.TObject<P>> | null>({ ...object(properties), type: ['object', 'null'] })

const shownAmount = nullable(shownMoney.properties)

export const paymentCode = object(
  {
    id: ownId(codeIds),
    mode: explained(Type.Enum(modes), 'How often it can be paid.', {
      one_time: 'once',
      recurrent: 'until its target is met or its time is over',
    }),
    status: explained(Type.Enum(statuses), 'What has become of it.', {
      pending: 'it can be paid',
      processing: 'a payment is in flight; a recurrent one also once it has been paid',
      completed: 'paid, or its target is met',
      expired: 'its time is over',
      cancelled: 'you cancelled it',
    }),
    name: described(Type.String(), 'What is paid for, as the payer reads it.'),
    amount: described(shownAmount, 'What is to be paid; null: the payer types it.'),
    enable: described(Type.Boolean(), 'Whether dials are taken.'),
    expireTime: described(timestamp, 'The moment from which nobody can begin to pay it.'),
    customer: described(
      nullable({
        name: described(
          personal(Type.String(), 'name'),
          'What the customer is called; masked for the role `support`.',
          'Fatu Kamara',
        ),
      }),
      'Whom it is for; null where nobody is named.',
    ),
    ussdCode: Type.String({ examples: ['*715*5773920187#'], description: 'What the payer dials.' }),
    reference: described(nullableText, 'Your own word for it; null where none was sent.'),
    authorizedProviders: described(
      Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } }),
      'The only mobile money providers that may pay, by id; null: all.',
    ),
    authorizedPhoneNumber: described(
      personal(nullableText, 'phone'),
      'The only phone that may pay, in E.164, masked for the role `support`; null: every phone.',
    ),
    recurrentPaymentTarget: described(
      nullable({
        expectedPaymentCount: described(
          Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
          'How many payments; null: however many.',
        ),
        expectedPaymentTotal: described(shownAmount, 'What sum; null: whatever it is.'),
      }),
      'What completes a recurrent code, whichever comes first; null: only its time ends it.',
    ),
    financialAccountId: described(idOf(accountIds), 'The account that is credited.'),
    processedPaymentData: described(
      nullable({
        amount: described(shownMoney, 'What was paid.'),
        orderId: described(idOf(orderIds), 'The order that was paid.'),
        paymentId: described(idOf(paymentIds), 'As `GET /v1/payments/{id}` shows it.'),
        orderNumber: described(
          Type.String(),
          'The twelve digits of the order, as on its receipt.',
          '482915037264',
        ),
        channelData: described(
          object({
            providerId: described(Type.String(), 'The provider of the payer’s account.', 'm17'),
            accountId: described(Type.String(), 'The payer’s account, masked.', '+23276****56'),
            reference: described(nullableText, 'The provider’s own transaction; null where it gave none.'),
          }),
          'How it was paid.',
        ),
        financialTransactionReference: described(
          Type.String(),
          'Finds the lines of the ledger that it wrote.',
          '20261121-101500123-7k2m9x',
        ),
        metadata: described(freeObject, 'Whatever else is known of it; usually empty.'),
      }),
      'Its last completed payment; null before there is one.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'PaymentCode' },
)
