import type {
  AccountHolder,
  Connector,
  MovedMoney,
  RailKind,
  RailOutcome,
  ReceivedReport,
  SubmitOutcome,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import type { Genuine } from './hostile-response.ts'

/**
 * A protocol, its genuine responses, and the conclusions that its rail's documentation allows from any
 * response.
 */
export type RailFuzz = {
  protocol: string
  connect(baseUrl: string, peer: Agent): Connector
  /** Words that matter to this rail but do not occur in its genuine documents. */
  words: readonly string[]
  /** Steps that calls share, such as tokens; these are damaged only occasionally. */
  shared: readonly FuzzStep[]
  calls: readonly FuzzCall[]
  reports: readonly FuzzReport[]
  /** Origin of the pages that payers may be sent to. */
  pageOrigin?: string
}

/** Requests of one kind, by method and path, and the rail's genuine responses. */
export type FuzzStep = { at: RegExp; genuine: readonly Genuine[] }

export type FuzzCall = {
  name: string
  steps: readonly FuzzStep[]
  ask(connector: Connector): Promise<SubmitOutcome | RailOutcome | AccountHolder>
  /** The outcomes of the genuine responses. */
  reaches: readonly string[]
  /**
   * Returns the outcomes that responses support, apart from `unknown`. Written from the rail's documentation,
   * not from the connector.
   *
   * @param seen the last response to each request, in order: at least one, and only complete ones
   */
  supported(seen: readonly SeenResponse[]): Supported
  /** Uses a new connector for every response. */
  isFresh?: true
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
export const originalReference = '7d1f0c9a-52c6-4f0a-8d3e-0b54a2ae1b2c'
