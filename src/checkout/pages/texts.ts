// Every word the payer reads. A language is one more member with the same keys.

const en = {
  lang: 'en',
  number: (value: number) => value.toLocaleString('en'),

  testNotice: 'Test payment. No real money moves.',
  securedBy: 'Secured by Pesewa',
  payTo: 'Pay',
  orderDetails: (count: number) => (count === 1 ? 'Order details: 1 item' : `Order details: ${count} items`),
  quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
  total: 'Total',
  returnTo: (merchant: string) => `Return to ${merchant}`,

  messages: {
    notFound: {
      title: 'This payment page does not exist',
      text: 'The link is incomplete or wrong. Ask for it again where you wanted to pay.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Please wait a moment and try again. If this stays, ask for a new payment link.',
    },
    failed: {
      title: 'Something went wrong on our side',
      text: 'Load this page again to see how your payment stands before you pay again.',
    },
  },

  titles: {
    choose: (total: string, merchant: string) => `Pay ${total} to ${merchant}`,
    failure: (merchant: string) => `Payment failed. Try again: ${merchant}`,
    fault: (merchant: string) => `Please correct: payment to ${merchant}`,
    waiting: (total: string, merchant: string) => `Approve ${total} on your phone: ${merchant}`,
    paid: (total: string, merchant: string) => `Paid ${total} to ${merchant}`,
    cancelled: (merchant: string) => `Payment cancelled: ${merchant}`,
    expired: (merchant: string) => `Payment page expired: ${merchant}`,
  },

  choose: {
    heading: 'Pay with mobile money',
    provider: 'Choose your provider',
    phone: 'Mobile money number',
    accountNumber: 'Bank account number',
    walletId: 'Wallet id',
    phoneHint: 'We send a payment request to this phone.',
    pay: (total: string) => `Pay ${total}`,
    paying: 'Sending the request…',
    safety: 'You approve with your PIN on your own phone. Never type your PIN on a web page.',
    cancel: 'Cancel payment',
    cancelling: 'Cancelling…',
    closed: 'No mobile money provider can take this payment right now. Please try again in a few minutes.',
  },

  faults: {
    provider: {
      missing: 'Choose your mobile money provider.',
      invalid: 'This provider cannot take this payment. Choose another one.',
    },
    phone: {
      missing: 'Enter the number of your mobile money account.',
      invalid: 'This is not a number this provider can reach. Check it and try again.',
    },
    accountNumber: {
      missing: 'Enter the number of your bank account.',
      invalid: 'This is not a bank account number: 6 to 20 digits and letters.',
    },
    walletId: {
      missing: 'Enter the id of your wallet.',
      invalid: 'This is not a wallet id: 3 to 64 characters without spaces.',
    },
  },

  failureHeading: 'The payment did not go through',
  failures: {
    unknown: 'Your provider did not say why. Try again, or use another number.',
    fund_insufficient: 'There is not enough money in this account. Top it up, or use another number.',
    authorization_failed:
      'The payment was not approved, or the PIN was wrong. Try again and approve it on your phone.',
    provider_unknown: 'This provider cannot be used for this payment. Choose another one.',
    provider_account_blocked:
      'This mobile money account is blocked. Ask your provider, or use another number.',
    provider_account_missing:
      'This number has no mobile money account with this provider. Check the number and the provider.',
    provider_account_quota_exhausted:
      'This account has reached the limit your provider sets. Use another number, or try again later.',
    cancelled: 'The payment was cancelled before it was made. You can try again.',
    rejected: 'The provider did not take this payment. Choose another provider, or try again later.',
  },

  waiting: {
    heading: 'Approve on your phone',
    sent: (provider: string) => `We asked ${provider} to send a payment request to`,
    steps: (total: string) => [
      'Open the request on that phone.',
      `Check that the amount is ${total}.`,
      'Enter your PIN there to approve.',
    ],
    status: 'Waiting for your approval',
    slow: 'This is taking longer than usual. If you have already approved, do not pay again: this page will show the result.',
    stopped:
      'We have stopped checking. If you have approved, do not pay again: check once more to see the result.',
    check: 'Check now',
    continueAt: (provider: string) => `Continue at ${provider}`,
  },

  paid: {
    heading: 'Payment received',
    text: (total: string, merchant: string) => `You paid ${total} to ${merchant}.`,
    orderNumber: 'Order number',
    keep: 'Keep this number. The merchant can find your payment by it.',
  },

  cancelled: {
    heading: 'Payment cancelled',
    text: (merchant: string) =>
      `This page can no longer be paid. To pay after all, ask ${merchant} for a new link.`,
  },

  expired: {
    heading: 'This payment page has expired',
    text: (merchant: string) => `It can no longer be paid. To pay, ask ${merchant} for a new link.`,
  },
}

export const texts = { en }
