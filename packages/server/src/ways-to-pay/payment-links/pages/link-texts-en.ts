// All texts of a payment link's pages in English. The other languages have the same keys. Amounts are already
// formatted.

export const en = {
  about: 'A secure payment page.',
  testNotice: 'Test payment. No real money moves.',
  language: 'Language',
  securedBy: 'Secured by Pesewa',
  // The titles appear in link previews and in the browser history, so they reveal neither the amount nor the
  // merchant.
  titles: {
    form: 'Payment',
    fault: 'Payment: check your details',
    ended: 'Payment not possible',
    done: 'Payment received',
  },
  payTo: 'Pay to',
  amount: 'Amount',
  between: (low: string, high: string) => `From ${low} to ${high}.`,
  atLeast: (low: string) => `At least ${low}.`,
  atMost: (high: string) => `At most ${high}.`,
  quantity: 'Quantity',
  numbers: (low: string, high: string) => `From ${low} to ${high}.`,
  optional: '(optional)',
  each: 'each',
  methodsLabel: 'Payment methods',
  methods: { bank: 'Bank account', card: 'Card' },
  times: (quantity: string, price: string) => `${quantity} × ${price}`,
  go: 'Continue to payment',
  faults: {
    amount: {
      missing: 'Enter the amount you want to pay.',
      invalid: 'Enter a valid amount, such as 150 or 150.50.',
      tooSmall: 'This is below the minimum amount.',
      tooLarge: 'This is above the maximum amount.',
    },
    quantity: {
      missing: 'Enter a quantity.',
      invalid: 'Enter a whole number.',
      tooSmall: 'This is below the minimum quantity.',
      tooLarge: 'This is above the maximum quantity.',
    },
    reference: {
      missing: 'Fill in this field so that the merchant knows what you are paying for.',
      invalid: 'Use letters or digits.',
      tooSmall: 'Use letters or digits.',
      tooLarge: 'This text is too long.',
    },
  },
  ended: {
    inactive: {
      heading: 'This link is not accepting payments right now',
      text: 'Contact the person who sent it to you.',
    },
    completed: { heading: 'This link has already been paid', text: 'It no longer accepts payments.' },
    expired: { heading: 'This link has expired', text: 'Ask the person who sent it to you for a new one.' },
    cancelled: {
      heading: 'This link is no longer valid',
      text: 'Ask the person who sent it to you for a new one.',
    },
    busy: {
      heading: 'Other people are paying right now',
      text: 'You can pay once they have finished. Try again in a few minutes.',
    },
    suspended: {
      heading: 'Payments unavailable',
      text: 'This merchant cannot accept payments right now. You have not been charged.',
    },
  },
  done: { heading: 'Payment received', order: 'Order number', receipt: 'Receipt' },
  questions: 'Questions?',
  terms: 'Terms',
  poster: {
    title: 'Poster',
    open: 'You choose the amount',
    scan: 'Scan to pay',
    camera: 'Point your phone’s camera at the code.',
    type: 'Or type this address in your browser:',
    dial: 'No internet? Dial',
    follow: 'Then follow the instructions on your phone.',
    until: (time: string) => `Valid until ${time}.`,
    print: 'Print',
    hint: 'Made for A4 paper.',
  },
  qr: {
    heading: 'Pay on your phone',
    text: 'Scan this code with your phone’s camera.',
    name: 'QR code with a link to this page',
  },
}

export type LinkTexts = typeof en
