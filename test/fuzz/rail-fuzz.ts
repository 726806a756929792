import type { Connector, MovedMoney, RailKind, ReceivedReport } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import type { Agent } from 'undici'
import type { Genuine } from './hostile-response.ts'
import { receivedBy } from './received.ts'

/**
 * A protocol, its genuine responses, and the conclusions that its rail's documentation allows from any
 * response.
 */
export type RailFuzz = {
  protocol: string
  connect(baseUrl: string, peer: Agent): Connector
  /** The order that all calls are about. */
  order: FuzzOrder
  /** Words that matter to this rail but do not occur in its genuine documents. */
  words: readonly string[]
  /** Steps that calls share, such as tokens; these are damaged only occasionally. */
  shared?: readonly FuzzStep[]
  calls: readonly FuzzCall[]
  reports: readonly FuzzReport[]
  /** Origin of the pages that payers may be sent to. */
  pageOrigin?: string
}

export type FuzzOrder = {
  amount: bigint
  currency: string
  /** The account of the payer or payee; `null` for cards. */
  account: string | null
  returnUrl?: string
  /** The rail's own reference for the order. */
  providerReference?: string
  /** The rail's id of the transaction to refund. */
  railTransaction?: string
}

/** Requests of one kind, by method and path, and the rail's genuine responses. */
export type FuzzStep = { at: RegExp; genuine: readonly Genuine[] }

/** A call of a connector and its first step. */
export type FuzzCall = FuzzStep & {
  /** The connector's function, and more if the same function is called in several ways. */
  name: FuzzAsk | `${FuzzAsk} by card`
  /** Further steps. */
  next?: readonly FuzzStep[]
  /** The outcomes of the genuine responses, if they differ from those that calls of this kind usually have. */
  reaches?: readonly string[]
  /**
   * Returns the outcomes that responses support, apart from `unknown`. Written from the rail's documentation,
   * not from the connector.
   *
   * @param response the first of `seen`
   * @param seen the last response to each request, in order: at least one, and only complete ones
   */
  supported(response: SeenResponse, seen: readonly SeenResponse[]): Supported
  /** Uses a new connector for every response. */
  isFresh?: true
  /** Replaces the order and the connector of the rail. */
  order?: FuzzOrder
  connect?: RailFuzz['connect']
}

export type FuzzReport = {
  name: string
  documents: readonly unknown[]
  /** @param signed the bytes that the rail signed, or `undefined` if it signed none */
  received(bytes: Buffer, signed: Buffer | undefined): ReceivedReport
  /**
   * Whether a report is proved. By default, the received bytes must be the signed ones; a rail that does not
   * sign proves its reports in another way or not at all.
   */
  isProved?(bytes: Buffer, signed: Buffer | undefined): boolean
  /** The rail's name for the order, if it is not our reference. */
  named?: string
  /** Returns the outcomes that a proved report supports. */
  supported(document: SeenDocument, kind: RailKind): Supported
  /** Kinds with outcomes, such as `collect done`. */
  reaches: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON
export type SeenDocument = any

export type SeenResponse = { message: string; status: number; document: SeenDocument }

/** Outcomes that a response supports. */
export type Supported = {
  accepted?: boolean
  refused?: boolean
  pending?: boolean
  asked?: boolean
  missing?: boolean
  /** The money that moved, as stated; `unstated` if the rail never states it. */
  done?: MovedMoney | 'unstated' | undefined
  /** Whether the account is active. */
  found?: boolean | undefined
}

/** Fields of every order. */
export const ours = {
  reference: '5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0',
  description: 'Two cups',
  callbackUrl: 'https://pay.example/callbacks/payments/c2VhbGVk.tag',
  mayLeave: () => true,
} as const
export const orderNumber = '482915037264'

type FuzzAsk = keyof ReturnType<typeof asksAbout>

/** Returns the calls of a connector that can be fuzzed, by the connector's function. */
export function asksAbout(fuzzed: FuzzOrder) {
  const { amount, currency, account, returnUrl = null, providerReference, railTransaction = null } = fuzzed
  const order = { ...ours, amount, currency }
  const collection = { ...order, payerAccount: account, orderNumber, returnUrl }
  const payee = account ?? ''
  const original = { reference: originalReference, railTransaction }
  const query = about(ours.reference, { amount, currency, account, original, providerReference })
  return {
    collect: (connector: Connector) => connector.collect(collection),
    queryCollection: (connector: Connector) => connector.queryCollection(query),
    submitCode: (connector: Connector) => connector.submitCode!(collection, '123456'),
    disburse: (connector: Connector) => connector.disburse!({ ...order, payeeAccount: payee }),
    queryDisbursement: (connector: Connector) => connector.queryDisbursement!(query),
    refund: (connector: Connector) => connector.refund!({ ...order, original }),
    queryRefund: (connector: Connector) => connector.queryRefund!(query),
    verifyAccount: (connector: Connector) => connector.verifyAccount!(payee),
  }
}

const originalReference = '7d1f0c9a-52c6-4f0a-8d3e-0b54a2ae1b2c'

/** Returns the outcomes that the genuine responses of a call usually have. */
export function usualOutcomes(name: string): readonly string[] {
  if (name === 'verifyAccount') return ['found', 'missing']
  return name.startsWith('query')
    ? ['done', 'missing', 'pending', 'refused']
    : ['accepted', 'refused', 'unknown']
}

/** The reports of a rail that does not sign them: none of them proves anything. */
export const unsignedReports = (...documents: readonly unknown[]): FuzzReport => ({
  name: 'readReport',
  documents,
  received: (rawBody) => receivedBy(rawBody),
  isProved: () => false,
  supported: () => ({}),
  reaches: [],
})
