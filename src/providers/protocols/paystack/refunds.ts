import { type Fields, fieldsOf } from '../../../platform/fields.ts'
import type {
  OriginalCollection,
  RailOutcome,
  RailQuery,
  RailRefund,
  SubmitOutcome,
} from '../../connector.ts'
import { transactionOf, unknown } from '../../rail-responses.ts'
import { currencyRefused, refundFailed, requestInvalid } from './codes.ts'
import {
  isInvalid,
  moneyOf,
  type PaystackAnswer,
  type PaystackMessages,
  unclear,
  unitsOf,
} from './messages.ts'
import type { PaystackSettings } from './settings.ts'

const maxRefunds = 100 // limit: refunds of one transaction that Paystack lists at once

/**
 * Refunds have no key of ours, but a note to the merchant: our reference stands there. Before one is made the transaction's
 * refunds are listed, so that none is made twice under one reference.
 */
export function openRefunds(settings: PaystackSettings, { get, post }: PaystackMessages) {
  const find = (order: Pick<RailRefund, 'reference' | 'original'>) => {
    const query = new URLSearchParams({ transaction: nameOf(order.original), perPage: String(maxRefunds) })
    return get(`/refund?${query}`, (answer) => foundIn(answer, order.reference))
  }
  return {
    async refund(order: RailRefund): Promise<SubmitOutcome> {
      const { reference, amount: minor, currency, original, description, mayLeave } = order
      const amount = unitsOf(minor, currency, settings)
      if (amount === undefined) return { outcome: 'refused', ...currencyRefused }
      const listed = await find(order)
      if (listed.outcome === 'found') return { outcome: 'accepted' }
      if (listed.outcome === 'unknown') return unknown(`not sent: ${listed.why}`)
      const body = {
        transaction: nameOf(original),
        amount,
        currency,
        merchant_note: reference,
        customer_note: description,
      }
      return post('/refund', body, submitted, mayLeave)
    },
    async queryRefund({ reference, original }: RailQuery): Promise<RailOutcome> {
      if (!original) return unknown('there is no payment to give back')
      const listed = await find({ reference, original })
      return listed.outcome === 'found' ? outcomeOf(settings, listed.refund) : listed
    },
  }
}

const nameOf = ({ railTransaction, reference }: OriginalCollection) => railTransaction ?? reference

/** Not there only where the list is whole and each of its refunds says what it is. */
function foundIn(answer: PaystackAnswer, reference: string) {
  const { isOk, data } = answer
  if (!isOk || !Array.isArray(data)) return unclear(answer)
  const refunds = data.map(fieldsOf)
  const ours = refunds.filter(({ merchant_note }) => merchant_note === reference)
  const [refund] = ours
  if (refund && ours.length === 1) return { outcome: 'found' as const, refund }
  if (refund) return unknown('two refunds have our reference')
  if (refunds.length >= maxRefunds) return unknown('the list of refunds is longer than its page')
  if (!refunds.every(({ merchant_note }) => typeof merchant_note === 'string'))
    return unknown('a refund of the transaction does not say whose it is')
  return { outcome: 'missing' as const }
}

const isUnderWay = (status: unknown) =>
  typeof status === 'string' && /^(pending|processing|needs-attention)$/.test(status)

function submitted(answer: PaystackAnswer): SubmitOutcome {
  const { status } = fieldsOf(answer.data)
  if (answer.isOk && (isUnderWay(status) || status === 'processed')) return { outcome: 'accepted' }
  return isInvalid(answer) ? { outcome: 'refused', ...requestInvalid } : unclear(answer)
}

function outcomeOf(settings: PaystackSettings, refund: Fields): RailOutcome {
  const { status } = refund
  if (status === 'failed') return { outcome: 'refused', ...refundFailed }
  if (status === 'needs-attention')
    return unknown('the refund needs the payer’s account: give it in Paystack’s dashboard')
  if (isUnderWay(status)) return { outcome: 'pending' }
  if (status !== 'processed') return unknown('the refund has no status that we know')
  const money = moneyOf(refund, settings)
  if (!money) return unknown('the response has no amount that can be read')
  return { outcome: 'done', ...money, railTransaction: transactionOf(refund.id) }
}
