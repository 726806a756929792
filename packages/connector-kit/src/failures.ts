import { keysOf } from '@pesewa/values'
import type { FailureCode } from './connector.ts'

/** The reason that money was not moved: a code for programs and a sentence for people. */
export type Failure = { code: FailureCode; message: string }

/**
 * Maps a rail's failure codes to ours. The rail's own text is never passed on, because its content cannot be
 * trusted.
 */
export type Failures = {
  /** Returns the reason for a failure that the rail reports as final. */
  failureOf(word: unknown): Failure
  /**
   * Returns the reason that a submit was refused, or `undefined` if the code does not prove that nothing was
   * started.
   */
  refusalOf(word: unknown): Failure | undefined
}

type ByWord = Readonly<Record<string, Failure>>

/**
 * Creates the mapping. `atSubmit` contains the codes that the rail returns before it starts anything, and
 * `later` the codes that occur only in outcomes. `other` is the failure for any other code.
 */
export function createFailures(reasons: { atSubmit: ByWord; later?: ByWord; other: Failure }): Failures {
  const named = (words: ByWord, word: unknown) =>
    typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined
  const { atSubmit, later = {}, other } = reasons
  return {
    failureOf: (word) => named(atSubmit, word) ?? named(later, word) ?? other,
    refusalOf: (word) => named(atSubmit, word),
  }
}

export const failure = (code: FailureCode, message: string): Failure => ({ code, message })

/** Failures that several rails report, so that payers and merchants read the same words. */
export const failures = {
  accountCannotReceive: failure('authorization_failed', 'The account cannot receive this payment.'),
  noResponse: failure('authorization_failed', 'The payer did not respond in time.'),
  notCollected: failure('authorization_failed', 'The recipient did not collect the money in time.'),
  notConfirmed: failure('authorization_failed', 'The payment was not confirmed in time.'),
  payerDeclined: failure('authorization_failed', 'The payer declined the payment.'),
  payerNotApproved: failure('authorization_failed', 'The payer did not approve the payment.'),
  paymentDeclined: failure('authorization_failed', 'The payment was declined.'),
  paymentNotApproved: failure('authorization_failed', 'The payment was not approved.'),
  walletCannotReceive: failure(
    'authorization_failed',
    'The mobile money account cannot receive this payment.',
  ),
  wrongPin: failure('authorization_failed', 'The payer entered the wrong PIN.'),
  payerCancelled: failure('cancelled', 'The payer cancelled the payment.'),
  paymentCancelled: failure('cancelled', 'The payment was cancelled.'),
  payoutCancelled: failure('cancelled', 'The provider cancelled the payout.'),
  refundCancelled: failure('cancelled', 'The provider cancelled the refund.'),
  accountBalanceTooLow: failure('fund_insufficient', 'There was not enough money in the account.'),
  ourBalanceTooLow: failure('fund_insufficient', 'This service’s balance with the provider was too low.'),
  walletBalanceTooLow: failure(
    'fund_insufficient',
    'There was not enough money in the mobile money account.',
  ),
  accountBlocked: failure('provider_account_blocked', 'The account is blocked.'),
  walletBlocked: failure('provider_account_blocked', 'The mobile money account is blocked.'),
  accountMissing: failure('provider_account_missing', 'The provider has no such account.'),
  walletMissing: failure('provider_account_missing', 'This number has no mobile money account.'),
  accountLimitReached: failure('provider_account_quota_exhausted', 'The account has reached its limit.'),
  walletLimitReached: failure(
    'provider_account_quota_exhausted',
    'The mobile money account has reached its limit.',
  ),
  amountRefused: failure('rejected', 'The provider does not accept this amount.'),
  currencyRefused: failure('rejected', 'The provider does not accept this currency.'),
  notSetUp: failure('rejected', 'The connection to the provider is not set up for this transaction.'),
  originalMissing: failure('rejected', 'The provider cannot find the payment.'),
  paymentNotAllowed: failure('rejected', 'The provider does not allow this payment.'),
  payoutNotAllowed: failure('rejected', 'The provider does not allow this payout.'),
  payoutsRefused: failure('rejected', 'The provider is not accepting payouts from this service.'),
  refundNotAllowed: failure('rejected', 'The provider does not allow this refund.'),
  requestRejected: failure('rejected', 'The provider rejected the request.'),
  failed: failure('unknown', 'The provider reported a failure.'),
  paymentFailed: failure('unknown', 'The provider reported that the payment failed.'),
  payoutFailed: failure('unknown', 'The provider reported that the payout failed.'),
  refundFailed: failure('unknown', 'The provider reported that the refund failed.'),
} as const

const names = new Map(keysOf(failures).map((name) => [failures[name].message, name]))

/** Returns the name of the failure with this message, so that its cause can be explained in other languages. */
export const failureNamed = (message: string | undefined) => names.get(message ?? '')
