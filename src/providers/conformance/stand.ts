import { randomUUID } from 'node:crypto'
import { callingCode } from '../account.ts'
import type { Collection, Connector, RailOutcome, ReceivedReport, SubmitOutcome } from '../connector.ts'
import type { Conformance } from '../protocol.ts'
import type { CallbackReceiver } from './callbacks.ts'
import type { RailProxy } from './proxy.ts'

/** Numbers that lead to an ending at this rail; a case without its account is not run. A card has none: null. */
export type NamedAccounts = { paying?: string | null; late?: string | null }

/** The simulator pays, or fails first, by the last three digits. */
export const simulatedAccounts = (country: string) => {
  const number = `+${callingCode(country)}${country === 'SL' ? '76123' : '712345'}`
  return { paying: `${number}456`, late: `${number}012` }
}

/** What every case of a run has. */
export type Stand = {
  connector: Connector
  conformance: Conformance
  /** Why no report of the rail can be believed; undefined where one can. */
  noProof: string | undefined
  proxy: RailProxy
  receiver: Pick<CallbackReceiver, 'of' | 'onFirst'>
  accounts: NamedAccounts
  amount: bigint
  currency: string
  /** Where the rail reports to; the reference is put behind it. */
  callbackUrl: string
  wait(ms: number): Promise<void>
  /** What one case has seen, and others need not see again. */
  seen: Seen
}

type Seen = {
  /** What the rail called our payments, as far as it said: by our reference. */
  named: Map<string, string>
  /** Payments that were submitted, by our reference. */
  submitted: Set<string>
  /** Why nothing more may be sent: the rest is not run. */
  stop?: string
  /** A report was awaited in vain. */
  isSilent?: boolean
  /** Whether the payer has to go to a page of the rail's, of payments that it accepted, by our reference. */
  pages: Map<string, boolean>
  /** One with a page stayed open: nobody is there. */
  isUnattended?: boolean
  /** The report that several cases read. */
  report?: Promise<SharedReport | undefined>
}

export type SharedReport = { order: Collection; report: ReceivedReport }

export const nothingSeen = (): Seen => ({ named: new Map(), submitted: new Set(), pages: new Map() })

export const orderOf = (
  { amount, currency, callbackUrl }: Pick<Stand, 'amount' | 'currency' | 'callbackUrl'>,
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

export async function submit({ connector, seen, proxy }: Stand, order: Collection): Promise<SubmitOutcome> {
  seen.submitted.add(order.reference)
  proxy.watch(order.reference)
  const submitted = await connector.collect(order)
  if (submitted.outcome === 'accepted' && submitted.providerReference !== undefined)
    seen.named.set(order.reference, submitted.providerReference)
  if (submitted.outcome === 'accepted') seen.pages.set(order.reference, submitted.redirectUrl !== undefined)
  return submitted
}

/** As the service does: where the answer was lost, an authentic report says what the rail calls the payment. */
export function queryOf(stand: Stand, order: Collection): Promise<RailOutcome> {
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

/** An order that was never submitted, as if the rail had named it. */
export function neverSubmitted(stand: Stand, account: string | null): Collection {
  const order = orderOf(stand, account)
  stand.seen.named.set(order.reference, randomUUID())
  return order
}
