export const en = {
  testNotice: 'Test payment. No real money moves.',
  test: {
    heading: 'Test numbers',
    intro: 'The last three digits of the number or account decide what happens:',
    outcomes: {
      fund_insufficient: 'Not enough money',
      declined: 'The payer declines',
      expired: 'No answer for a minute, then failed',
      slow: 'Paid after 30 seconds',
      unreported: 'Paid, and we find out by asking',
      provider_account_blocked: 'Account blocked',
      provider_account_missing: 'No such account',
      provider_account_quota_exhausted: 'Limit reached',
    },
    others: { numbers: 'any other', outcome: 'Paid' },
    phones: 'Open the simulated phones',
  },
  securedBy: 'Secured by Pesewa',
  about: 'A secure payment page.',
  orderDetails: (count: number) => (count === 1 ? 'Order details: 1 item' : `Order details: ${count} items`),
  quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
  orderName: 'Order',
  orderNumber: 'Order number',
  total: 'Total',
  returnTo: (merchant: string) => `Return to ${merchant}`,

  help: { questions: 'Questions?', terms: 'Terms' },

  messages: {
    notFound: {
      title: 'This payment page does not exist',
      text: 'The link is incomplete or wrong. Ask for a new one where you wanted to pay.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Please wait a moment and try again. If this continues, ask for a new payment link.',
    },
    failed: {
      title: 'Something went wrong on our side',
      text: 'Reload this page to check the status of your payment before you pay again.',
    },
  },

  // Previews of links and a browser's history show these: the state, and nothing of what is paid or to whom.
  titles: {
    choose: 'Payment: choose how to pay',
    failure: 'Payment failed: try again',
    fault: 'Payment: please correct',
    askedOften: 'Payment: try again later',
    waiting: 'Payment: waiting for your approval',
    paid: 'Payment received',
    cancelled: 'Payment cancelled',
    expired: 'Payment page expired',
    linkClosed: 'No payment possible',
    suspended: 'No payments for now',
  },

  qr: {
    heading: 'Pay on another device',
    text: 'Scan this code with your phone’s camera to open this page there.',
    name: 'QR code with the address of this page',
  },

  ways: { momo: 'Mobile money', bank: 'Bank account', wallet: 'Wallet', card: 'Card' },

  choose: {
    heading: 'Choose how to pay',
    headings: {
      momo: 'Pay with mobile money',
      bank: 'Pay from your bank account',
      wallet: 'Pay with your wallet',
      card: 'Pay by card',
    },
    way: 'Way to pay',
    provider: 'Choose your provider',
    card: 'Debit or credit card',
    cardHint: 'You enter your card details on the secure page that opens next.',
    pay: (total: string) => `Pay ${total}`,
    goOn: {
      card: 'Continue to card',
      bank: 'Continue to your bank',
      other: (provider: string) => `Continue to ${provider}`,
    },
    again: 'Try again',
    paying: 'Sending the request…',
    safety: 'You approve the payment with your provider. Never type a PIN or a password on this page.',
    until: (time: string) => `You can pay until ${time}.`,
    cancel: 'Cancel payment',
    cancelling: 'Cancelling…',
    closed: 'No provider can take this payment right now. Please try again in a few minutes.',
  },

  fields: {
    phone: { label: 'Mobile money number', hint: 'We will send a payment request to this phone.' },
    accountNumber: { label: 'Bank account number', hint: 'Your bank will ask you to approve the payment.' },
    walletId: {
      label: 'Wallet ID',
      hint: 'The number or name of your wallet. You approve the payment there.',
    },
  },

  askedOften: {
    heading: 'No payment request was sent',
    text: (minutes: number) =>
      `This phone is getting too many payment requests right now. Nothing was paid. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or use another number.`,
  },

  otherNetwork: {
    heading: 'Check the number',
    likely: (network: string, provider: string) =>
      `This looks like ${withArticle(network)} number, and you chose ${provider}.`,
    certain: (network: string, provider: string) =>
      `This looks like ${withArticle(network)} number. ${provider} cannot take a payment from it.`,
    instead: (provider: string) => `Pay with ${provider}`,
    anyway: (provider: string) => `Continue with ${provider}`,
  },

  faultHeading: 'Please correct this',
  faults: {
    provider: {
      missing: 'Choose how you want to pay.',
      invalid: 'You cannot pay this way here. Choose another way.',
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
      missing: 'Enter the ID of your wallet.',
      invalid: 'This is not a wallet ID: 3 to 64 characters without spaces.',
    },
  },

  failureHeading: 'The payment failed',
  failures: {
    unknown: 'Your provider gave no reason. Try again, or pay another way.',
    fund_insufficient: 'There is not enough money in this account. Top it up, or pay another way.',
    authorization_failed: 'The payment was not approved in time, or the PIN or code was wrong. Try again.',
    provider_unknown: 'This provider cannot take this payment. Choose another one.',
    provider_unavailable:
      'This provider is not responding right now. Nothing was taken. Choose another one, or try again in a few minutes.',
    provider_account_blocked: 'Your account is blocked. Contact your provider, or pay another way.',
    provider_account_missing:
      'This account does not exist at this provider. Check what you typed and the provider you chose.',
    provider_account_quota_exhausted:
      'This account has reached the limit your provider sets. Try again later, or pay another way.',
    cancelled: 'The payment was cancelled before it was made. You can try again.',
    rejected: 'The provider did not accept this payment. Choose another provider, or try again later.',
  },

  waiting: {
    phone: {
      heading: (_provider: string) => 'Approve on your phone',
      sent: (provider: string) => `We asked ${provider} to send a payment request to`,
      steps: (total: string) => [
        'Open the request on that phone.',
        `Check that the amount is ${total}.`,
        'Enter your PIN there to approve.',
      ],
    },
    provider: {
      heading: (provider: string) => `Approve with ${provider}`,
      sent: (provider: string) => `We asked ${provider} for a payment from`,
      steps: (total: string) => [
        'Open the message or the app of your provider.',
        `Check that the amount is ${total}.`,
        'Approve the payment there.',
      ],
    },
    guidance: {
      heading: (provider: string) => `${provider} says`,
      dial: (code: string) => `Dial ${code}`,
    },
    code: {
      heading: (provider: string) => `Type the code from ${provider}`,
      label: 'Code',
      hint: (provider: string) =>
        `The code that ${provider} shows or sends you for this payment. It is not your PIN.`,
      again:
        'We passed your code on. If this field is still here in a moment, check the code and type it again.',
      fault: 'This is not a code: 4 to 12 digits.',
      submit: 'Send code',
      submitting: 'Sending the code…',
      given: {
        heading: 'We are waiting for the answer',
        status: 'Waiting for the provider',
        text: (provider: string) =>
          `We passed your code on to ${provider}. If your phone asks you for nothing more, there is nothing more to do.`,
      },
    },
    elsewhere: {
      go: (provider: string) => `Continue to ${provider}`,
      text: (total: string) =>
        `Check that the amount is ${total} and approve it on the page that opens. After that you return here.`,
      card: 'the card page',
    },
    dial: {
      text: (provider: string) =>
        `No request on your phone? Dial this code and look for your approvals at ${provider}.`,
      action: (code: string) => `Dial ${code}`,
    },
    left: 'Minutes left to pay:',
    other: {
      heading: 'Wrong number, or no longer wanted?',
      prompt: (_provider: string) =>
        'We cannot call back a request that was sent. Decline it on that phone, or leave it until it runs out.',
      elsewhere: (provider: string) => `Open the page of ${provider} once more and cancel there.`,
      afterwards: 'After that you can change the number, pay another way or cancel, here on this page.',
    },
    soon: {
      heading: 'One moment',
      text: (provider: string) => `We are connecting you to ${provider}.`,
    },
    status: 'Waiting for your approval',
    slow: 'This is taking longer than usual. If you have already approved, do not pay again: this page will show the result.',
    stopped:
      'We have stopped checking. If you have approved, do not pay again: check once more to see the result.',
    check: 'Check now',
  },

  paid: {
    heading: 'Payment received',
    text: (total: string, merchant: string) => `You paid ${total} to ${merchant}.`,
    keep: 'Keep this number. The merchant can find your payment with it.',
    receipt: 'View receipt',
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

  /** `over`: the payment link has ended; `busy`: it may take payments again. */
  linkClosed: {
    over: {
      heading: 'This payment link takes no more payments',
      text: (merchant: string) =>
        `Nothing was paid here. If you still want to pay, ask ${merchant} for a new link.`,
    },
    busy: {
      heading: 'This payment link could take no payment from you',
      text: (merchant: string) =>
        `Others were paying, or ${merchant} had paused the link. Nothing was paid here. Open the link again: it says whether you can pay now.`,
    },
    open: 'Open the link again',
  },

  suspended: {
    heading: 'This shop takes no payments for now',
    text: (merchant: string) => `It cannot be paid here now. Please ask ${merchant} how to pay.`,
  },
}

/** `an Africell`, `an MTN`, `a Moov`: capitals alone are spelt out. */
const withArticle = (name: string) => (/^([AEIO]|[FLMNRSX][A-Z])/.test(name) ? `an ${name}` : `a ${name}`)

export type Texts = typeof en
