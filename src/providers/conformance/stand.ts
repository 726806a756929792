import { randomUUID } from 'node:crypto'
import { callingCode } from '../account.ts'
import type { Collection, Connector, RailOutcome, ReceivedReport, SubmitOutcome } from '../connector.ts'
import type { Conformance } from '../protocol.ts'
import type { RailProxy } from './proxy.ts'

/** Numbers that lead to an ending at this rail; a case without its account is not run. */
export type NamedAccounts = { paying?: string; late?: string }

/** The simulator pays, or fails first, by the last three digits. */
export const simulatedAccounts = (country: string) => {
  const number = `+${callingCode(country)}${country === 'SL' ? '76123' : '712345'}`
  return { paying: `${number}456`, late: `${number}012` }
}

/** What every case of a run has. */
export type Stand = {
  connector: Connector
  conformance: Conformance
  /** What the rail called our payments, as far as it said: by our reference. */
  named: Map<string, string>
  /** Whether a case has waited for a report in vain: then the others do not. */
  isSilent?: boolean
  proxy: RailProxy
  accounts: NamedAccounts
  amount: bigint
  currency: string
  /** Where the rail reports to; the reference is put behind it. */
  callbackUrl: string
  callbacksOf(reference: string): readonly ReceivedReport[]
  wait(ms: number): Promise<void>
}

export const orderOf = ({ amount, currency, callbackUrl }: Stand, account: string): Collection => {
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

export async function submit({ connector, named }: Stand, order: Collection): Promise<SubmitOutcome> {
  const submitted = await connector.collect(order)
  if (submitted.outcome === 'accepted' && submitted.providerReference !== undefined)
    named.set(order.reference, submitted.providerReference)
  return submitted
}

/** As the service does: where the answer was lost, an authentic report says what the rail calls the payment. */
export function queryOf(stand: Stand, order: Collection): Promise<RailOutcome> {
  const { connector, named, proxy } = stand
  const { reference } = order
  for (const report of named.has(reference) ? [] : stand.callbacksOf(reference)) {
    const { isAuthentic, providerReference } = connector.readReport?.(report) ?? {}
    if (isAuthentic && providerReference !== undefined) named.set(reference, providerReference)
  }
  const providerReference = named.get(reference)
  if (providerReference !== undefined) proxy.alias(providerReference, reference)
  return connector.queryCollection({
    ...order,
    providerReference,
    account: order.payerAccount,
    original: null,
  })
}

/** An order that was never submitted, as if the rail had named it. */
export function neverSubmitted(stand: Stand, account: string): Collection {
  const order = orderOf(stand, account)
  stand.named.set(order.reference, randomUUID())
  return order
}

const pollMs = 500
const maxPolls = 40 // limit: queries of a case until it has its outcome

/** Queries until `isEnough`, or for 20 s. */
export async function follow(
  stand: Stand,
  order: Collection,
  isEnough = ({ outcome }: RailOutcome) => outcome === 'done' || outcome === 'refused',
): Promise<RailOutcome> {
  for (let polls = 1; ; polls++) {
    const outcome = await queryOf(stand, order)
    if (isEnough(outcome) || polls === maxPolls) return outcome
    await stand.wait(pollMs)
  }
}

/** The first report on a payment, if one comes within 20 s. */
export async function reportOn(stand: Stand, order: Collection): Promise<ReceivedReport | undefined> {
  for (let polls = stand.isSilent ? maxPolls - 1 : 0; polls < maxPolls; polls++) {
    const [first] = stand.callbacksOf(order.reference)
    if (first) return first
    await stand.wait(pollMs)
  }
  stand.isSilent = true
  return undefined
}
