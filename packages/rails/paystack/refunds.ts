import {
  doneWith,
  failures,
  type OriginalCollection,
  type RailOutcome,
  type RailQuery,
  type RailRefund,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'
import { currencyRefused } from './codes.ts'
import {
  isInvalid,
  moneyOf,
  type PaystackAnswer,
  type PaystackMessages,
  unclear,
  unitsOf,
} from './messages.ts'
import type { PaystackSettings } from './settings.ts'

const maxRefunds = 100 // number of refunds of one transaction on each page of Paystack's list

/**
 * Makes and queries refunds. Paystack's refunds have no idempotency key, but a note to the merchant can contain
 * our reference. The existing refunds of a transaction are listed before a new one is made, so that no
 * reference is refunded twice.
 *
 * See docs/decisions/0040-without-a-key.md.
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
      if (!original) return unknown('there is no payment to refund')
      const listed = await find({ reference, original })
      return listed.outcome === 'found' ? outcomeOf(settings, listed.refund) : listed
    },
  }
}

const nameOf = ({ railTransaction, reference }: OriginalCollection) => railTransaction ?? reference

/**
 * Finds the refund with our reference in a list. A refund is considered missing only if the list is complete
 * and all refunds in it can be identified.
 */
function foundIn(answer: PaystackAnswer, reference: string) {
  const { isOk, data } = answer
  if (!isOk || !Array.isArray(data)) return unclear(answer)
  const refunds = data.map(fieldsOf)
  const ours = refunds.filter(({ merchant_note }) => merchant_note === reference)
  const [refund] = ours
  if (refund && ours.length === 1) return { outcome: 'found' as const, refund }
  if (refund) return unknown('two refunds have our reference')
  if (refunds.length >= maxRefunds) return unknown('the list of refunds has more than one page')
  if (!refunds.every(({ merchant_note }) => typeof merchant_note === 'string'))
    return unknown('a refund of the transaction cannot be identified')
  return { outcome: 'missing' as const }
}

const isUnderWay = (status: unknown) =>
  typeof status === 'string' && /^(pending|processing|needs-attention)$/.test(status)

function submitted(answer: PaystackAnswer): SubmitOutcome {
  const { status } = fieldsOf(answer.data)
  if (answer.isOk && (isUnderWay(status) || status === 'processed')) return { outcome: 'accepted' }
  return isInvalid(answer) ? { outcome: 'refused', ...failures.requestRejected } : unclear(answer)
}

function outcomeOf(settings: PaystackSettings, refund: Fields): RailOutcome {
  const { status } = refund
  if (status === 'failed') return { outcome: 'refused', ...failures.refundFailed }
  if (status === 'needs-attention')
    return unknown('the refund needs the payer’s account; enter it in Paystack’s dashboard')
  if (isUnderWay(status)) return { outcome: 'pending' }
  if (status !== 'processed') return unknown('the refund has an unknown status')
  return doneWith(moneyOf(refund, settings), refund.id) ?? unknown('the response has no readable amount')
}
