import { randomUUID } from 'node:crypto'
import type { Collection, Connector, RailOutcome, ReceivedReport } from '../connector.ts'
import type { RailProxy } from './proxy.ts'

/** Numbers that lead to an ending at this rail; a case without its account is not run. */
export type NamedAccounts = { paying?: string; late?: string }

/** What every case of a run has. */
export type Stand = {
  connector: Connector
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

export const queryOf = ({ connector }: Stand, order: Collection): Promise<RailOutcome> =>
  connector.queryCollection({ ...order, account: order.payerAccount, original: null })

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
  for (let polls = 0; polls < maxPolls; polls++) {
    const [first] = stand.callbacksOf(order.reference)
    if (first) return first
    await stand.wait(pollMs)
  }
  return undefined
}
