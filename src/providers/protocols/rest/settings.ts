/** `push`: the provider asks the payer itself. `redirect`: the payer authorises on the provider's own page. */
export const flows = ['push', 'redirect'] as const
export type Flow = (typeof flows)[number]

/** A connection to something that speaks the REST rail or the acquirer's variant of it. */
export type RailSettings = {
  /** `https://rail.bank.example/v1`, without a slash at the end. */
  baseUrl: string
  /** What we prove ourselves with. */
  key: string
  /** Where the rail's pages stand: a payer is sent to no other origin. */
  pageOrigin: string
  /** For each HTTP message. */
  timeoutMs: number
}

export type RestSettings = RailSettings & {
  flow: Flow
  /** With which the rail signs its reports; without, none is believed. */
  callbackKey?: string
  /** `false`: the rail never says how much moved. */
  statesAmounts?: boolean
}
