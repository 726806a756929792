import { createFailures, failure, failures } from '@pesewa/connector-kit'

/** Codes that have the same meaning for collections, refunds and disbursements. */
const ofTheAccount = {
  account_missing: failures.accountMissing,
  account_blocked: failures.accountBlocked,
  limit_reached: failures.accountLimitReached,
  currency_not_supported: failures.currencyRefused,
}

/** Reasons that a collection failed. */
export const collectionFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failures.accountBalanceTooLow,
    not_allowed: failures.paymentNotAllowed,
  },
  later: {
    declined: failures.paymentDeclined,
    expired: failures.noResponse,
    not_confirmed: failures.notConfirmed,
    not_authenticated: failure('authorization_failed', 'Cardholder authentication failed.'),
    cancelled: failures.payerCancelled,
  },
  other: failures.paymentFailed,
})

/** Reasons that a refund failed. In these codes, the account is that of the payer, who gets the money back. */
export const refundFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failures.ourBalanceTooLow,
    not_allowed: failures.refundNotAllowed,
    original_missing: failures.originalMissing,
  },
  later: {
    declined: failures.accountCannotReceive,
    expired: failures.notCollected,
    cancelled: failures.refundCancelled,
  },
  other: failures.refundFailed,
})

/** Reasons that a disbursement failed. In these codes, the account is the payee's, and the balance is ours. */
export const disbursementFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failures.ourBalanceTooLow,
    not_allowed: failures.payoutNotAllowed,
  },
  later: {
    declined: failures.accountCannotReceive,
    expired: failures.notCollected,
    cancelled: failures.payoutCancelled,
  },
  other: failures.payoutFailed,
})
