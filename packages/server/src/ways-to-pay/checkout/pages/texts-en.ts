export const en = {
  testNotice: 'Test payment. No real money moves.',
  test: {
    heading: 'Test numbers',
    intro: 'The last three digits of the number or account determine the outcome:',
    outcomes: {
      fund_insufficient: 'Not enough money',
      declined: 'Declined by the payer',
      expired: 'No response; fails after a minute',
      slow: 'Paid after 30 seconds',
      unreported: 'Paid, without a callback',
      provider_account_blocked: 'Account blocked',
      provider_account_missing: 'Account does not exist',
      provider_account_quota_exhausted: 'Limit reached',
    },
    others: { numbers: 'Any other', outcome: 'Paid' },
    phones: 'Open the simulated phones, and set one to “Ask me” to approve or decline yourself',
  },
  securedBy: 'Secured by Pesewa',
  about: 'A secure payment page.',
  orderDetails: (count: number) => (count === 1 ? 'Order details: 1 item' : `Order details: ${count} items`),
  quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
  orderName: 'Order',
  orderNumber: 'Order number',
  total: 'Total',
  returnTo: (merchant: string) => `Return to ${merchant}`,
  language: 'Language',

  help: { questions: 'Questions?', terms: 'Terms' },

  messages: {
    notFound: {
      title: 'This payment page does not exist',
      text: 'The link is incomplete or invalid. Ask the merchant for a new one.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Please wait a moment and try again. If this keeps happening, ask the merchant for a new payment link.',
    },
    failed: {
      title: 'Something went wrong on our side',
      text: 'Reload this page to check the status of your payment before you pay again.',
    },
  },

  // These titles appear in link previews and the browser history, so they reveal the state of the payment but
  // not the amount or the merchant.
  titles: {
    choose: 'Payment: choose how to pay',
    failure: 'Payment failed: try again',
    fault: 'Payment: check your details',
    askedOften: 'Payment: try again later',
    waiting: 'Payment: waiting for your approval',
    dial: 'Payment: dial to pay',
    paid: 'Payment received',
    cancelled: 'Payment cancelled',
    expired: 'Payment page expired',
    linkClosed: 'Payment not possible',
    suspended: 'Payments unavailable',
  },

  qr: {
    heading: 'Pay on another device',
    text: 'Scan this code with your phone’s camera to open this page on your phone.',
    name: 'QR code with a link to this page',
  },

  ways: { momo: 'Mobile money', bank: 'Bank account', wallet: 'Wallet', card: 'Debit or credit card' },

  choose: {
    heading: 'Choose how to pay',
    headings: {
      momo: 'Pay with mobile money',
      bank: 'Pay from your bank account',
      wallet: 'Pay with your wallet',
      card: 'Pay by card',
    },
    network: 'Network',
    not: (provider: string) => `Not ${provider}?`,
    provider: 'Provider',
    pick: 'Choose…',
    cardHint: 'You will enter your card details on the secure page that opens next.',
    pay: (total: string) => `Pay ${total}`,
    goOn: {
      card: 'Continue with card',
      bank: 'Continue to your bank',
      other: (provider: string) => `Continue to ${provider}`,
    },
    paying: 'Sending the request…',
    safety: 'You will approve the payment with your provider. Never enter a PIN or password on this page.',
    until: (time: string) => `You can pay until ${time}.`,
    cancel: 'Cancel payment',
    cancelling: 'Cancelling…',
    cancelWarning: 'You will no longer be able to pay on this page.',
    cancelForGood: 'Yes, cancel',
    closed: 'No provider can accept this payment right now. Please try again in a few minutes.',
  },

  fields: {
    phone: { label: 'Mobile money number', hint: 'We will send a payment request to this phone.' },
    accountNumber: { label: 'Bank account number', hint: 'Your bank will ask you to approve the payment.' },
    walletId: {
      label: 'Wallet ID',
      hint: 'The number or name of your wallet. You will approve the payment in the wallet.',
    },
  },

  askedOften: (minutes: number) =>
    `No payment request was sent, because this phone has received too many. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or use another number.`,

  otherNetwork: {
    likely: (network: string, provider: string) =>
      `This looks like ${withArticle(network)} number, not ${withArticle(provider)} number.`,
    certain: (network: string, provider: string) =>
      `This looks like ${withArticle(network)} number. ${provider} cannot accept payments from it.`,
    instead: (provider: string) => `Press Pay to use ${provider}.`,
    anyway: (provider: string) => `Continue with ${provider}`,
  },

  faults: {
    network: 'Choose the network of your number.',
    provider: {
      missing: 'Choose a provider.',
      invalid: 'This provider is not available here. Choose another one.',
    },
    phone: (example: string | undefined) => {
      if (example === undefined) return 'Enter a valid mobile money number.'
      if (example.startsWith('+')) return `Enter the number with its country code, like ${example}.`
      return `Enter ${example.replaceAll(/\D/g, '').length} digits, like ${example}.`
    },
    accountNumber: {
      missing: 'Enter your bank account number.',
      invalid: 'Enter a valid bank account number: 6 to 20 letters and digits.',
    },
    walletId: {
      missing: 'Enter your wallet ID.',
      invalid: 'Enter a valid wallet ID: 3 to 64 characters without spaces.',
    },
  },

  failureHeading: 'The payment failed',
  failures: {
    unknown: 'Your provider gave no reason. Try again, or pay another way.',
    fund_insufficient: 'There is not enough money in this account. Top it up, or pay another way.',
    authorization_failed: 'The payment was not approved. Try again, or pay another way.',
    provider_unknown: 'This provider cannot accept this payment. Choose another one.',
    provider_unavailable:
      'This provider is not responding right now. You have not been charged. Choose another one, or try again in a few minutes.',
    provider_account_blocked: 'Your account is blocked. Contact your provider, or pay another way.',
    provider_account_missing:
      'This provider does not recognize this account. Check the account and the provider you chose.',
    provider_account_quota_exhausted:
      'This account has reached a limit set by your provider. Try again later, or pay another way.',
    cancelled: 'The payment was cancelled and you have not been charged. You can try again.',
    rejected: 'The provider did not accept this payment. Choose another provider, or try again later.',
  },
  declinedOnPhone: 'You declined it on your phone. You have not been charged.',
  /** What the rail reported. The names are those of the connector kit. */
  causes: {
    payerDeclined: 'You declined it. You have not been charged.',
    noResponse: 'You did not answer the request in time. You have not been charged.',
    notConfirmed: 'It was not confirmed in time. You have not been charged.',
    wrongPin: 'The PIN was wrong.',
    walletMissing: 'This number has no mobile money account. Check the number.',
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
      sent: (provider: string) => `We asked ${provider} to request a payment from`,
      steps: (total: string) => [
        'Open the message from your provider, or open its app.',
        `Check that the amount is ${total}.`,
        'Approve the payment there.',
      ],
    },
    guidance: {
      heading: (provider: string) => `Message from ${provider}`,
      dial: (code: string) => `Dial ${code}`,
    },
    code: {
      heading: (provider: string) => `Enter the code from ${provider}`,
      label: 'Code',
      hint: (provider: string) =>
        `The code that ${provider} shows you or sends you for this payment. It is not your PIN.`,
      again:
        'Your code was sent. If this field is still shown in a moment, check the code and enter it again.',
      fault: 'Enter a valid code: 4 to 12 digits.',
      submit: 'Send code',
      submitting: 'Sending the code…',
      given: {
        heading: 'Waiting for confirmation',
        status: 'Waiting for the provider',
        text: (provider: string) =>
          `We sent your code to ${provider}. Unless your phone asks for something else, you are done.`,
      },
    },
    elsewhere: {
      go: (provider: string) => `Continue to ${provider}`,
      text: (total: string) =>
        `On the page that opens, check that the amount is ${total} and approve the payment. You will then return here.`,
      card: 'the card payment page',
    },
    dial: {
      text: (provider: string) =>
        `No request on your phone? Dial this code to see your pending approvals with ${provider}.`,
      action: (code: string) => `Dial ${code}`,
    },
    left: 'Minutes left to pay:',
    prompt: {
      until: (time: string) => `The request expires at ${time}`,
      left: 'Time left to approve:',
      over: (provider: string, hasAnother: boolean) =>
        `The request on your phone has probably expired. If you approved it, do not pay again. This page will show the result. If you did not, ${provider} will confirm that soon, and you can then try again.${hasAnother ? ' You can also use another number now.' : ''}`,
    },
    another: {
      text: 'The request that was sent cannot be withdrawn, so do not approve it if you pay another way. If both are paid, the one that is paid last is returned to you.',
      number: 'Use another number',
      way: 'Pay another way',
    },
    other: {
      heading: 'Wrong number, or changed your mind?',
      prompt: (_provider: string) =>
        'A request cannot be withdrawn once it has been sent. Decline it on that phone, or let it expire.',
      elsewhere: (provider: string) => `Go back to ${provider} and cancel there.`,
      afterwards: 'You can then change the number, pay another way or cancel on this page.',
    },
    soon: {
      heading: 'One moment',
      text: (provider: string) => `We are connecting you to ${provider}.`,
    },
    status: 'Waiting for your approval',
    slow: 'This is taking longer than usual. If you have already approved the payment, do not pay again. This page will show the result.',
    stopped:
      'We have stopped checking. If you have approved the payment, do not pay again. Check now to see the result.',
    check: 'Check now',
  },

  /** The page with a code to dial, which the button `offer` opens. */
  dial: {
    offer: 'Dial instead',
    heading: 'Dial this code to pay',
    call: 'Dial on this phone',
    copy: 'Copy code',
    copied: 'Code copied',
    steps: (total: string) => [
      'Dial the code on the phone with your mobile money account. It works without internet.',
      `Check that the amount is ${total}, and confirm.`,
      'Enter your PIN when your provider asks for it.',
    ],
    status: 'Waiting for your payment',
    back: 'Back',
  },

  another: {
    open: (account: string) =>
      `The request to ${account} is still open. Please do not approve it. If both are paid, the one that is paid last is returned to you.`,
    openAfterwards: (account: string) =>
      `The request to ${account} is still open. Please do not approve it. If you do, that money is returned to you.`,
    alreadyAsked: 'The request to this account is still open. Use another one, or go back and wait.',
    back: 'Back to the open request',
  },

  moneyBack: {
    refunded: (amount: string, account: string, date: string) =>
      `${amount} was refunded to ${account} on ${date}.`,
    twice: {
      pending: (amount: string, account: string) =>
        `You paid twice. ${amount} is being returned to ${account}.`,
      done: (amount: string, account: string, date: string) =>
        `You paid twice. ${amount} was returned to ${account} on ${date}.`,
      failed: (amount: string, account: string, merchant: string) =>
        `You paid twice. ${amount} could not be returned to ${account}. Please contact ${merchant}.`,
    },
    sameAccount: 'the account that you paid from',
  },

  paid: {
    heading: 'Payment received',
    keep: 'Keep the order number. The merchant can use it to find your payment.',
    receipt: 'View receipt',
    share: 'Share receipt',
    copyLink: 'Copy link to receipt',
    copied: 'Link copied',
  },

  verification: {
    heading: 'Check a receipt or statement',
    text: 'Enter the code printed on the document. We show the figures in our records, so that you can compare them.',
    label: 'Code',
    check: 'Check',
    unknown:
      'We have not issued a document with this code. Check the code and try again. The code is not the order number.',
    genuine: { receipt: 'This receipt is genuine', statement: 'This statement is genuine' },
    compare: 'Compare these figures with the document.',
    facts: {
      merchant: 'Merchant',
      amount: 'Amount paid',
      refunded: 'Refunded since',
      paidAt: 'Paid on',
      order: 'Order',
      orderNumber: 'Order number',
      account: 'Account number',
      from: 'From',
      to: 'To (exclusive)',
      opening: 'Opening balance',
      closing: 'Closing balance',
    },
  },

  cancelled: {
    heading: 'Payment cancelled',
    text: (merchant: string) =>
      `You can no longer pay on this page. If you still want to pay, ask ${merchant} for a new link.`,
  },

  expired: {
    heading: 'This payment page has expired',
    text: (merchant: string) => `To pay, ask ${merchant} for a new link.`,
  },

  /**
   * `over` is shown if the payment link has ended, and `busy` if it cannot accept payments now but may do so
   * later.
   */
  linkClosed: {
    over: {
      heading: 'This payment link no longer accepts payments',
      text: (merchant: string) =>
        `You have not been charged. If you still want to pay, ask ${merchant} for a new link.`,
    },
    busy: {
      heading: 'This payment link could not accept your payment',
      text: (merchant: string) =>
        `Other people were paying, or ${merchant} had paused the link. You have not been charged. Open the link again to see whether you can pay now.`,
    },
    open: 'Open the link again',
  },

  suspended: {
    heading: 'This merchant cannot accept payments right now',
    text: (merchant: string) => `Please ask ${merchant} how to pay.`,
  },
}

/**
 * Returns a name with its article: `an Africell`, `an MTN`, `a Moov`. A name that begins with several capital
 * letters is pronounced letter by letter.
 */
const withArticle = (name: string) => (/^([AEIO]|[FLMNRSX][A-Z])/.test(name) ? `an ${name}` : `a ${name}`)

export type Texts = typeof en
