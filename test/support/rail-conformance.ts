/** The limits of testing a simulated rail, in addition to those that its protocol declares. */
export type RailConformance = {
  /** The cases that cannot be run with the rail, each with the reason. All others must pass. */
  leftOut: Record<string, string>
  /** A provider whose simulated payers pay without a page. By default, the rail's first one. */
  provider?: string
  /** Set if payers dial or use a page, so that no account can be named in advance. */
  hasNoLatePayer?: true
}

export const noReader = 'not applicable: the connector reads no reports; outcomes come only from queries'
export const noPerson = 'not run: the payment does not complete without a person on the rail’s page'
export const unstated = 'not applicable: the rail reports no amount when queried'
export const noProof = 'not applicable: the connection cannot authenticate reports, so it never trusts them'
export const noPromise =
  'not applicable: the protocol does not guarantee that queries immediately see what was reported'
