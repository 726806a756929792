import {
  type Collection,
  doneWith,
  failures,
  foreignPage,
  type Guidance,
  guidanceOf,
  pageOf,
  type RailOutcome,
  type RailQuery,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import type { Fields } from '@pesewa/values'
import { cardIn } from './card.ts'
import { chargeFailures, currencyRefused, wordOf } from './codes.ts'
import {
  dataAbout,
  isError,
  isInvalid,
  moneyOf,
  type PaystackAnswer,
  type PaystackMessages,
  unclear,
  unitsOf,
} from './messages.ts'
import { phoneForCharge } from './phones.ts'
import type { PaystackSettings } from './settings.ts'

/** Asks payers to pay, queries outcomes, and sends Paystack the codes that some payers have to enter. */
export function openCharges(settings: PaystackSettings, { get, post }: PaystackMessages) {
  const { type } = settings
  const read = (reference: string) => (answer: PaystackAnswer) => submitted(settings, answer, reference)
  const verify = (reference: string) =>
    get(`/transaction/verify/${encodeURIComponent(reference)}`, (answer) =>
      outcomeOf(settings, answer, reference),
    )
  return {
    async collect(collection: Collection): Promise<SubmitOutcome> {
      const { reference, mayLeave } = collection
      const body = bodyOf(settings, collection)
      if (!body) return { outcome: 'refused', ...currencyRefused }
      return type === 'card'
        ? post(
            '/transaction/initialize',
            body,
            (answer) => initialized(settings, answer, reference),
            mayLeave,
          )
        : post('/charge', body, read(reference), mayLeave)
    },
    /**
     * Queries a collection. While the payment is in progress, its charge shows what the payer has to do. Once
     * the charge has succeeded, the transaction is queried, too, because it shows whether money was moved.
     */
    async queryCollection({ reference }: RailQuery): Promise<RailOutcome> {
      if (type === 'card') return verify(reference)
      const outcome = await get(`/charge/${encodeURIComponent(reference)}`, (answer) =>
        dataAbout(answer, reference)?.status === 'success' ? 'paid' : outcomeOf(settings, answer, reference),
      )
      return outcome === 'paid' ? verify(reference) : outcome
    },
    submitCode: ({ reference, mayLeave }: Collection, code: string): Promise<SubmitOutcome> =>
      post(
        '/charge/submit_otp',
        { otp: code, reference },
        (answer) => codeSubmitted(settings, answer, reference),
        mayLeave,
      ),
  }
}

function bodyOf(settings: PaystackSettings, collection: Collection): object | undefined {
  const { reference, amount, currency, payerAccount, orderNumber, returnUrl } = collection
  const { type, as, emailDomain } = settings
  const units = unitsOf(amount, currency, settings)
  if (units === undefined) return undefined
  const email = `${reference}@${emailDomain}`
  const charge = { email, amount: units, currency, reference, metadata: { orderNumber } }
  if (type === 'card')
    return { ...charge, channels: ['card'], ...(returnUrl !== null && { callback_url: returnUrl }) }
  if (type === 'bank') return { ...charge, ussd: { type: as } }
  return { ...charge, mobile_money: { phone: phoneForCharge(payerAccount ?? ''), provider: as } }
}

/**
 * Reads Paystack's response to a code that was sent. After an error, the outcome is unknown and the payment is
 * queried, because the payer can try again after a wrong code.
 */
function codeSubmitted(settings: PaystackSettings, answer: PaystackAnswer, reference: string): SubmitOutcome {
  const outcome = submitted(settings, answer, reference)
  return !answer.isOk && outcome.outcome !== 'unknown' ? unclear(answer) : outcome
}

function submitted(settings: PaystackSettings, answer: PaystackAnswer, reference: string): SubmitOutcome {
  const data = dataAbout(answer, reference)
  if (!data) return withoutData(answer)
  const { status, gateway_response } = data
  if (status === 'failed')
    return { outcome: 'refused', ...chargeFailures.failureOf(wordOf(gateway_response)) }
  const next = nextStepOf(settings, data)
  if (!next) return foreignPage
  if (isUnderWay(status) || status === 'success') return { outcome: 'accepted', ...next }
  return unknown('the charge has an unknown status')
}

function withoutData(answer: PaystackAnswer): SubmitOutcome {
  if (isError(answer, 'duplicate_reference', /^duplicate transaction reference/i))
    return { outcome: 'accepted' }
  return isInvalid(answer) ? { outcome: 'refused', ...failures.requestRejected } : unclear(answer)
}

/** Reads the response that opens a card session. A session without a page cannot be paid. */
function initialized(settings: PaystackSettings, answer: PaystackAnswer, reference: string): SubmitOutcome {
  const data = dataAbout(answer, reference)
  if (!data) return withoutData(answer)
  const redirectUrl = pageOf(settings.pageOrigin, data.authorization_url)
  return redirectUrl ? { outcome: 'accepted', redirectUrl } : foreignPage
}

/** Returns whether a charge is still waiting for the payer or another party. */
const isUnderWay = (status: unknown) =>
  typeof status === 'string' &&
  /^(pending|processing|ongoing|queued|pay_offline|open_url|send_(otp|pin|phone|birthday|address))$/.test(
    status,
  )

function outcomeOf(settings: PaystackSettings, answer: PaystackAnswer, reference: string): RailOutcome {
  if (isError(answer, 'transaction_not_found', /^transaction reference not found/i))
    return { outcome: 'missing' }
  const data = dataAbout(answer, reference)
  if (!data) return answer.isOk ? unknown('the response is not for this reference') : unclear(answer)
  const { status, gateway_response } = data
  if (status === 'success')
    return (
      doneWith(moneyOf(data, settings), data.id, cardIn(data)) ??
      unknown('the response has no readable amount')
    )
  if (status === 'failed')
    return { outcome: 'refused', ...chargeFailures.failureOf(wordOf(gateway_response)) }
  if (status === 'abandoned') return abandoned(data)
  if (status === 'reversed')
    return unknown('the payment was made and then refunded, either by this service or elsewhere')
  if (!isUnderWay(status)) return unknown('the transaction has an unknown status')
  const next = nextStepOf(settings, data)
  return next ? { outcome: 'pending', ...next } : foreignPage
}

const openMs = 24 * 3_600_000 // how long an unpaid page is assumed to stay open

/**
 * Reads the outcome of an "abandoned" transaction. A page's transaction has this status from the start and can
 * still be paid, so it is considered failed only after the page is assumed to have closed.
 */
function abandoned({ created_at, createdAt = created_at }: Fields): RailOutcome {
  const at = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  if (!(Date.now() - at > openMs)) return { outcome: 'pending' }
  return { outcome: 'refused', ...chargeFailures.failureOf('transaction timed out') }
}

/** Returns the payer's next step, or `undefined` if that step is a page on another origin. */
function nextStepOf(settings: PaystackSettings, data: Fields) {
  const guidance = guidanceFor(data)
  if (data.status !== 'open_url') return { ...(guidance && { guidance }) }
  const redirectUrl = pageOf(settings.pageOrigin, data.url)
  return redirectUrl ? { redirectUrl, ...(guidance && { guidance }) } : undefined
}

function guidanceFor({ status, display_text, ussd_code }: Fields): Guidance | undefined {
  const said = typeof display_text === 'string' ? /\*[0-9*]{2,60}#/.exec(display_text)?.[0] : undefined
  const guidance = guidanceOf({ texts: { en: display_text }, dialString: ussd_code ?? said })
  if (status !== 'send_otp') return guidance
  return { texts: {}, dialString: null, ...guidance, asksForCode: true }
}
