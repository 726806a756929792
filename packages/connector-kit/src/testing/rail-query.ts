import type { RailQuery } from '../connector.ts'

/** Returns a query about a reference, with the details that most rails need. */
export const about = (reference: string, more: Partial<RailQuery> = {}): RailQuery => ({
  reference,
  callbackUrl: 'https://pay.example/callbacks/payments/sealed',
  amount: 15_000n,
  currency: 'SLE',
  account: null,
  original: null,
  ...more,
})
