import type { Collection, Disbursement, MoneyOrder, RailKind, RailRefund } from '@pesewa/connector-kit'
import { toMajorUnits } from '@pesewa/values'
import type { GsmaSettings } from './settings.ts'

const maxDescriptionLength = 160 // maximum length of the text that a wallet shows with a payment

type Party = { key: string; value: string }

/** The standard's transaction type for each kind of request. */
export const typeOf = {
  collect: 'merchantpay',
  disburse: 'disbursement',
  refund: 'reversal',
} as const satisfies Record<RailKind, string>

const moneyOf = ({ amount, currency, reference, description }: MoneyOrder) => ({
  amount: toMajorUnits(amount, currency),
  currency,
  requestingOrganisationTransactionReference: reference,
  descriptionText: [...description].slice(0, maxDescriptionLength).join(''),
})

const between = (debit: Party, credit: Party) => ({ debitParty: [debit], creditParty: [credit] })

const msisdn = (value: string): Party => ({ key: 'msisdn', value })

/** Builds the request for a payment. It includes the order number, for people who reconcile statements by hand. */
export const merchantPayment = ({ merchant }: GsmaSettings, order: Collection) => ({
  ...moneyOf(order),
  ...between(msisdn(order.payerAccount ?? ''), merchant),
  customData: [{ key: 'orderNumber', value: order.orderNumber }],
})

export const disbursement = ({ merchant }: GsmaSettings, order: Disbursement) => ({
  ...moneyOf(order),
  ...between(merchant, msisdn(order.payeeAccount)),
})

export const reversal = (order: RailRefund) => ({ type: typeOf.refund, ...moneyOf(order) })
