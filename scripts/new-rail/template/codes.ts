import { createFailures, failures } from '@pesewa/connector-kit'

// Replace: the rail's codes. `atSubmit` must contain only codes that prove that nothing was started.

const atSubmit = {
  account_missing: failures.walletMissing,
  account_blocked: failures.walletBlocked,
  limit_reached: failures.walletLimitReached,
  currency_not_supported: failures.currencyRefused,
  request_invalid: failures.requestRejected,
}

/** Reasons that a payment failed. */
export const paymentFailures = createFailures({
  atSubmit: {
    ...atSubmit,
    insufficient_funds: failures.walletBalanceTooLow,
  },
  later: {
    declined: failures.payerDeclined,
    expired: failures.noResponse,
  },
  other: failures.paymentFailed,
})

/** Reasons that a payout failed. In these codes, the account is the payee's, and the balance is ours. */
export const payoutFailures = createFailures({
  atSubmit: {
    ...atSubmit,
    insufficient_funds: failures.ourBalanceTooLow,
  },
  later: {
    declined: failures.accountCannotReceive,
    expired: failures.notCollected,
  },
  other: failures.payoutFailed,
})
