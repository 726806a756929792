import Type, { type Static } from 'typebox'
import { money, phoneNumber, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { orderIds, paymentIds } from '../payments/resources.ts'
import {
  clearable,
  duration,
  freeObject,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { codeIds } from './resources.ts'
import { modes, statuses } from './store.ts'

const maxExpectedCount = 1_000_000 // limit: payments that a recurrent code expects

const name = nameText(3, 64)
const customer = object({ name: optional(nameText(0, 100)) })
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
const authorizedPhone = {
  ...phoneNumber,
  description: 'The only phone that may pay. Without it every phone may.',
}
const target = object(
  {
    expectedPaymentCount: optional(Type.Integer({ minimum: 1, maximum: maxExpectedCount })),
    expectedPaymentTotal: optional(money),
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
    mode: optional(Type.Enum(modes, { default: defaultMode })),
    enable: optional(Type.Boolean({ description: 'Whether dials are taken.', default: true })),
    amount: optional(amount),
    duration: optional(life),
    customer: optional(customer),
    reference: optional(reference),
    authorizedProviders: optional(providers),
    authorizedPhoneNumber: optional(authorizedPhone),
    recurrentPaymentTarget: optional(target),
    financialAccountId: optional(referenceTo(accountIds)),
    metadata: optional(metadata),
  },
  { title: 'NewPaymentCode' },
)
export type NewPaymentCode = Static<typeof newPaymentCode>

/** Only named fields change; null clears. */
export const paymentCodeChange = object({
  name: optional(name),
  enable: clearable(Type.Boolean()),
  amount: clearable(amount),
  duration: clearable(life),
  customer: clearable(customer),
  reference: clearable(reference),
  authorizedProviders: clearable(providers),
  authorizedPhoneNumber: clearable(authorizedPhone),
  recurrentPaymentTarget: clearable(target),
  financialAccountId: clearable(referenceTo(accountIds)),
  metadata: clearable(metadata),
})
export type PaymentCodeChange = Static<typeof paymentCodeChange>

/** An object of a response that may be null. */
const nullable = <P extends Type.TProperties>(properties: P) =>
  Type.Unsafe<Static<Type.TObject<P>> | null>({ ...object(properties), type: ['object', 'null'] })

const shownAmount = nullable(shownMoney.properties)

export const paymentCode = object(
  {
    id: idOf(codeIds),
    mode: Type.Enum(modes),
    status: Type.Enum(statuses),
    name: Type.String(),
    amount: shownAmount,
    enable: Type.Boolean(),
    expireTime: timestamp,
    customer: nullable({ name: Type.String() }),
    ussdCode: Type.String({ examples: ['*715*5773920187#'], description: 'What the payer dials.' }),
    reference: nullableText,
    authorizedProviders: Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } }),
    authorizedPhoneNumber: nullableText,
    recurrentPaymentTarget: nullable({
      expectedPaymentCount: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      expectedPaymentTotal: shownAmount,
    }),
    financialAccountId: idOf(accountIds),
    processedPaymentData: nullable({
      amount: shownMoney,
      orderId: idOf(orderIds),
      paymentId: idOf(paymentIds),
      orderNumber: Type.String(),
      channelData: object({ providerId: Type.String(), accountId: Type.String(), reference: nullableText }),
      financialTransactionReference: Type.String(),
      metadata: freeObject,
    }),
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'PaymentCode' },
)
