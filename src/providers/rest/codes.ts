import type { FailureCode } from '../connector.ts'

export type Failure = { code: FailureCode; message: string }

/** The rail's codes in our words. What the rail itself writes for people is never passed on: it may hold anything. */
const failures: Readonly<Record<string, Failure>> = {
  insufficient_funds: { code: 'fund_insufficient', message: 'There was not enough money in the account.' },
  declined: { code: 'authorization_failed', message: 'The payment was declined.' },
  expired: { code: 'authorization_failed', message: 'The payer did not answer in time.' },
  not_confirmed: { code: 'authorization_failed', message: 'The payment was not confirmed in time.' },
  not_authenticated: {
    code: 'authorization_failed',
    message: 'The payer could not prove to be the card’s holder.',
  },
  account_missing: { code: 'provider_account_missing', message: 'The provider has no such account.' },
  account_blocked: { code: 'provider_account_blocked', message: 'The account is blocked.' },
  limit_reached: {
    code: 'provider_account_quota_exhausted',
    message: 'The account has reached its limit.',
  },
  cancelled: { code: 'cancelled', message: 'The payer cancelled the payment.' },
  not_allowed: { code: 'rejected', message: 'The provider does not allow this payment.' },
  currency_not_supported: { code: 'rejected', message: 'The provider does not take this currency.' },
}

const anyFailure: Failure = { code: 'unknown', message: 'The provider reported that the payment failed.' }

const failureNamed = (code: unknown) =>
  typeof code === 'string' && Object.hasOwn(failures, code) ? failures[code] : undefined

/** What a payment that the rail calls failed, failed of. */
export const failureOf = (code: unknown): Failure => failureNamed(code) ?? anyFailure

/** The codes that a rail gives before it asks the payer; the others belong to the end of a payment. */
const givenAtSubmit: readonly unknown[] = [
  'insufficient_funds',
  'account_missing',
  'account_blocked',
  'limit_reached',
  'not_allowed',
  'currency_not_supported',
]

/** What a submit was refused for, or `undefined` when the code does not prove that nothing was begun. */
export const refusalOf = (code: unknown): Failure | undefined =>
  givenAtSubmit.includes(code) ? failureNamed(code) : undefined
