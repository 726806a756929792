/** A connection to one market of MTN MoMo, or to something that speaks its protocol. */
export type MtnMomoSettings = {
  /** `https://proxy.momoapi.mtn.com`, without a slash at the end. */
  baseUrl: string
  /** `mtnghana`, `mtnuganda`, …, or `sandbox`. */
  targetEnvironment: string
  collection: Credentials
  /** Without them the connector cannot pay out. */
  disbursement?: Credentials
  /**
   * MTN's sandbox takes one currency only (EUR): amounts are sent in it, minor unit for minor unit, and read back as
   * the provider's own `currency`. Never for real money.
   */
  sandboxCurrency?: { sent: string; currency: string }
  /** For each HTTP message; a call takes up to four of them when its token has to be replaced. */
  timeoutMs: number
  /** For a token, which may take longer than anything else. */
  tokenTimeoutMs: number
}

/** Money in and money out are two products of MTN's, each with addresses, credentials and tokens of its own. */
export type ProductName = 'collection' | 'disbursement'

export type Credentials = { subscriptionKey: string; apiUser: string; apiKey: string }
