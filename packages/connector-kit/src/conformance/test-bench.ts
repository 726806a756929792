import { randomUUID } from 'node:crypto'
import { callingCode } from '@pesewa/values/phones'
import type { Collection, Connector, RailOutcome, ReceivedReport, SubmitOutcome } from '../connector.ts'
import type { Conformance } from '../protocol.ts'
import type { CallbackReceiver } from './callbacks.ts'
import type { RailProxy } from './proxy.ts'

/**
 * Accounts that produce a certain outcome with this rail. A case whose account is missing is not run. For
 * cards, the account is null.
 */
export type NamedAccounts = { paying?: string | null; late?: string | null }

/**
 * Returns the accounts for the simulator, whose last three digits determine the outcome: a payment from
 * `paying` succeeds, and one from `late` is reported as failed before it succeeds.
 */
export const simulatedAccounts = (country: string) => {
  const number = `+${callingCode(country)}${country === 'SL' ? '76123' : '712345'}`
  return { paying: `${number}456`, late: `${number}012` }
}

/** State that all cases of a run share. */
export type TestBench = {
  connector: Connector
  conformance: Conformance
  /** The reason that no report from the rail can be trusted; undefined if reports can be trusted. */
  noProof: string | undefined
  proxy: RailProxy
  receiver: Pick<CallbackReceiver, 'of' | 'onFirst'>
  accounts: NamedAccounts
  amount: bigint
  currency: string
  /** Base URL for the rail's reports; the reference is appended. */
  callbackUrl: string
  wait(ms: number): Promise<void>
  /** Facts that earlier cases established and later ones use. */
  seen: Seen
}

type Seen = {
  /** Maps our references to the rail's own, if known. */
  named: Map<string, string>
  /** Our references for the payments that were submitted. */
  submitted: Set<string>
  /** The reason that nothing more may be sent, in which case the remaining cases are not run. */
  stop?: string
  /** Set when an expected report has not arrived in time. */
  isSilent?: boolean
  /** For each accepted payment, by our reference: whether the payer has to visit a page of the rail. */
  pages: Map<string, boolean>
  /**
   * Set when a payment for which the payer has to visit a page was not completed in time. This shows that
   * nobody is using the pages.
   */
  isUnattended?: boolean
  /** The report that several cases share. */
  report?: Promise<SharedReport | undefined>
}

export type SharedReport = { order: Collection; report: ReceivedReport }

export const nothingSeen = (): Seen => ({ named: new Map(), submitted: new Set(), pages: new Map() })

export const orderOf = (
  { amount, currency, callbackUrl }: Pick<TestBench, 'amount' | 'currency' | 'callbackUrl'>,
  account: string | null,
): Collection => {
  const reference = randomUUID()
  return {
    reference,
    amount,
    currency,
    description: 'Conformance test',
    callbackUrl: `${callbackUrl}/${reference}`,
    mayLeave: () => true,
    payerAccount: account,
    orderNumber: reference.replace(/\D/g, '').padEnd(12, '0').slice(0, 12),
    returnUrl: `${callbackUrl}/back`,
  }
}

export async function submit(
  { connector, seen, proxy }: TestBench,
  order: Collection,
): Promise<SubmitOutcome> {
  seen.submitted.add(order.reference)
  proxy.watch(order.reference)
  const submitted = await connector.collect(order)
  if (submitted.outcome === 'accepted' && submitted.providerReference !== undefined)
    seen.named.set(order.reference, submitted.providerReference)
  if (submitted.outcome === 'accepted') seen.pages.set(order.reference, submitted.redirectUrl !== undefined)
  return submitted
}

/**
 * Queries a payment in the same way as the service: if the response to the submit was lost, the rail's
 * reference is taken from an authentic report.
 */
export function queryOf(stand: TestBench, order: Collection): Promise<RailOutcome> {
  const { connector, seen, proxy, receiver } = stand
  const { reference } = order
  for (const report of seen.named.has(reference) ? [] : receiver.of(reference)) {
    const { isAuthentic, providerReference } = connector.readReport?.(report) ?? {}
    if (isAuthentic && providerReference !== undefined) seen.named.set(reference, providerReference)
  }
  const providerReference = seen.named.get(reference)
  if (providerReference !== undefined) proxy.alias(providerReference, reference)
  return connector.queryCollection({
    ...order,
    providerReference,
    account: order.payerAccount,
    original: null,
  })
}

/** Returns an order that was never submitted, with a made-up value as the rail's own reference. */
export function neverSubmitted(stand: TestBench, account: string | null): Collection {
  const order = orderOf(stand, account)
  stand.seen.named.set(order.reference, randomUUID())
  return order
}
