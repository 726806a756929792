import {
  type AccountHolder,
  type Disbursement,
  doneWith,
  failures,
  holderNameOf,
  type RailOutcome,
  type RailQuery,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import type { PaystackPayee } from './banks.ts'
import { currencyRefused, transferFailures, wordOf } from './codes.ts'
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
import type { PaystackSettings } from './settings.ts'

/** Pays out in two steps: creates the recipient, which Paystack stores only once, and then the transfer. */
export function openTransfers(
  settings: PaystackSettings,
  { type, bankCode, accountNumber }: PaystackPayee,
  { get, post }: PaystackMessages,
) {
  const recipientOf = ({ payeeAccount, currency }: Disbursement) =>
    post(
      '/transferrecipient',
      {
        type,
        name: 'Payee',
        account_number: accountNumber(payeeAccount),
        bank_code: bankCode,
        currency,
      },
      readRecipient,
    )
  return {
    async disburse(order: Disbursement): Promise<SubmitOutcome> {
      const { reference, amount: minor, currency, description: reason, mayLeave } = order
      const amount = unitsOf(minor, currency, settings)
      if (amount === undefined) return { outcome: 'refused', ...currencyRefused }
      const recipient = await recipientOf(order)
      if (typeof recipient !== 'string') return recipient
      const body = { source: 'balance', amount, recipient, reference, reason, currency }
      return post('/transfer', body, (answer) => submitted(answer, reference), mayLeave)
    },
    queryDisbursement: ({ reference }: RailQuery): Promise<RailOutcome> =>
      get(`/transfer/verify/${encodeURIComponent(reference)}`, (answer) =>
        outcomeOf(settings, answer, reference),
      ),
    verifyAccount(account: string): Promise<AccountHolder> {
      const query = new URLSearchParams({ account_number: accountNumber(account), bank_code: bankCode })
      return get(`/bank/resolve?${query}`, holderOf)
    },
  }
}

/** Reads the response that contains the recipient. If there is no recipient, no transfer was sent. */
function readRecipient(answer: PaystackAnswer): string | SubmitOutcome {
  const { recipient_code } = fieldsOf(answer.data)
  if (answer.isOk && typeof recipient_code === 'string' && /^RCP_[A-Za-z0-9]{1,60}$/.test(recipient_code))
    return recipient_code
  if (isInvalid(answer)) return { outcome: 'refused', ...failures.accountMissing }
  return unknown(`not sent because there is no recipient: ${unclear(answer).why}`)
}

const waitsForCode = unknown(
  'the transfer is waiting for a code; turn off transfer codes in Paystack’s dashboard',
)

/** Returns whether a transfer has been received by Paystack or is in progress. */
const isUnderWay = (status: unknown) =>
  status === 'pending' || status === 'received' || status === 'processing' || status === 'queued'
/**
 * Returns whether a transfer has failed and can no longer succeed. The money of a reversed transfer has been
 * returned to our balance.
 */
const isOver = (status: unknown) => status === 'failed' || status === 'rejected' || status === 'reversed'

function submitted(answer: PaystackAnswer, reference: string): SubmitOutcome {
  const data = dataAbout(answer, reference)
  if (!data) return withoutData(answer)
  const { status, gateway_response } = data
  if (isUnderWay(status) || status === 'success') return { outcome: 'accepted' }
  if (status === 'otp') return waitsForCode
  if (isOver(status)) return { outcome: 'refused', ...transferFailures.failureOf(wordOf(gateway_response)) }
  return unknown('the transfer has an unknown status')
}

function withoutData(answer: PaystackAnswer): SubmitOutcome {
  if (isError(answer, 'duplicate_transfer_reference', /reference already exists|unique reference/i))
    return { outcome: 'accepted' }
  const failure = !answer.isOk && answer.status === 400 ? transferFailures.refusalOf(answer.code) : undefined
  if (failure) return { outcome: 'refused', ...failure }
  return isInvalid(answer) ? { outcome: 'refused', ...failures.requestRejected } : unclear(answer)
}

function outcomeOf(settings: PaystackSettings, answer: PaystackAnswer, reference: string): RailOutcome {
  if (isError(answer, 'transfer_not_found', /^transfer not found/i)) return { outcome: 'missing' }
  const data = dataAbout(answer, reference)
  if (!data) return answer.isOk ? unknown('the response is not for this reference') : unclear(answer)
  const { status, gateway_response } = data
  if (isUnderWay(status)) return { outcome: 'pending' }
  if (status === 'otp') return waitsForCode
  if (isOver(status)) return { outcome: 'refused', ...transferFailures.failureOf(wordOf(gateway_response)) }
  if (status !== 'success') return unknown('the transfer is blocked or has an unknown status')
  return (
    doneWith(moneyOf(data, settings), data.transfer_code) ?? unknown('the response has no readable amount')
  )
}

/**
 * Reads the response to an account look-up. With status 422, "Could not resolve" concerns the account; with any
 * other status, it may concern the service.
 */
function holderOf(answer: PaystackAnswer): AccountHolder {
  if (answer.status === 422 && /^could not resolve account name/i.test(answer.message))
    return { outcome: 'missing' }
  const holderName = answer.isOk ? holderNameOf(fieldsOf(answer.data).account_name) : undefined
  return holderName === undefined ? unclear(answer) : { outcome: 'found', holderName, isActive: true }
}
