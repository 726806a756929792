import {
  createFailures,
  failure,
  failures,
  type OutboundAnswer,
  parseFields,
  type RailKind,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'

/** Codes that have the same meaning for collections, refunds and disbursements. */
const ofTheRequest = {
  lessThanTransactionMinValue: failures.amountRefused,
  greaterThanTransactionMaxValue: failures.amountRefused,
  underPaymentNotAllowed: failures.amountRefused,
  overPaymentNotAllowed: failures.amountRefused,
  samePartiesError: failure('rejected', 'Payer and payee are the same account.'),
  transactionTypeError: failures.requestRejected,
  rateLimitError: failure('rejected', 'The provider received too many requests.'),
  formatError: failures.requestRejected,
  lengthError: failures.requestRejected,
  negativeValue: failures.requestRejected,
  currencyNotSupported: failures.currencyRefused,
  mandatoryValueNotSupplied: failures.requestRejected,
  clientAuthorisationError: failures.notSetUp,
  requestDeclined: failures.paymentNotApproved,
  requestingPartyAuthorisationError: failures.paymentNotApproved,
  genericError: failures.failed,
  dailyVolumeLimitExceeded: failures.walletLimitReached,
  dailyValueLimitExceeded: failures.walletLimitReached,
  weeklyVolumeLimitExceeded: failures.walletLimitReached,
  weeklyValueLimitExceeded: failures.walletLimitReached,
  monthlyVolumeLimitExceeded: failures.walletLimitReached,
  monthlyValueLimitExceeded: failures.walletLimitReached,
  accountMaxTotalValueExceeded: failures.walletLimitReached,
  accountMaxTotalVolumeExceeded: failures.walletLimitReached,
  maxBalanceExceeded: failures.walletLimitReached,
}

const ofTheAccount = {
  identifierError: failures.walletMissing,
  incorrectState: failures.walletBlocked,
}

/** The failures that the standard's error codes stand for, by kind of request. */
export const failuresOf = {
  collect: createFailures({
    atSubmit: { ...ofTheRequest, ...ofTheAccount, insufficientFunds: failures.walletBalanceTooLow },
    other: failures.failed,
  }),
  disburse: createFailures({
    atSubmit: { ...ofTheRequest, ...ofTheAccount, insufficientFunds: failures.ourBalanceTooLow },
    other: failures.failed,
  }),
  refund: createFailures({
    atSubmit: {
      ...ofTheRequest,
      insufficientFunds: failures.ourBalanceTooLow,
      identifierError: failures.originalMissing,
      incorrectState: failure('rejected', 'The provider can no longer refund this payment.'),
    },
    other: failures.failed,
  }),
} satisfies Record<RailKind, unknown>

export type GsmaError = { category: string; code: string }

/**
 * Normalizes an error category or code: the standard's guidelines use `BusinessRule`, and its schema uses
 * `businessRule`.
 */
const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z ]{1,64}$/.test(value)
    ? value.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/ +/g, '')
    : undefined

export function errorOf({ errorCategory, errorCode }: Fields): GsmaError | undefined {
  const [category, code] = [wordOf(errorCategory), wordOf(errorCode)]
  return category === undefined || code === undefined ? undefined : { category, code }
}

/**
 * The error categories that the standard allows for each status. Any failures.failed combination does not follow the
 * standard and proves nothing.
 */
const categories = new Map([
  [400, ['businessRule', 'validation']],
  [401, ['authorisation', 'authorization']],
  [404, ['identification']],
])

/** Returns the error if the response proves that nothing was done; otherwise `undefined`. */
export function refusingError({ status, body }: OutboundAnswer): GsmaError | undefined {
  const error = errorOf(fieldsOf(parseFields(body)))
  return error && categories.get(status)?.includes(error.category) ? error : undefined
}

/**
 * Returns whether an error means that the wallet failed internally, in which case it may not know whether the
 * money was moved.
 */
export const isInconclusive = ({ category }: GsmaError) =>
  category === 'internal' || category === 'serviceUnavailable'

/** Returns the status and error of a response, for the log. Nothing else from a rail is logged. */
export function shown({ status, body }: OutboundAnswer): string {
  const { category, code } = errorOf(fieldsOf(parseFields(body))) ?? {}
  return [status, category, code].filter(Boolean).join(' ')
}
