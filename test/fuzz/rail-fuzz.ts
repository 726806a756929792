import type { Agent } from 'undici'
import type {
  AccountHolder,
  Connector,
  MovedMoney,
  RailOutcome,
  ReceivedReport,
  SubmitOutcome,
} from '../../src/providers/connector.ts'
import type { RailKind } from '../../src/providers/queues.ts'
import type { Genuine } from './hostile-response.ts'

/** A protocol, with the responses that are changed and what its rail's documents allow to conclude from any response. */
export type RailFuzz = {
  protocol: string
  connect(baseUrl: string, peer: Agent): Connector
  /** What matters to this rail, beyond the words of its genuine documents. */
  words: readonly string[]
  /** Tokens and the like: now and then they are damaged as well. */
  shared: readonly FuzzStep[]
  calls: readonly FuzzCall[]
  reports: readonly FuzzReport[]
  /** Where payers may be sent. */
  pageOrigin?: string
}

/** Messages of one kind, by method and path, and what the rail sends when it works. */
export type FuzzStep = { at: RegExp; genuine: readonly Genuine[] }

export type FuzzCall = {
  name: string
  steps: readonly FuzzStep[]
  ask(connector: Connector): Promise<SubmitOutcome | RailOutcome | AccountHolder>
  /** The outcomes that the genuine documents have. */
  reaches: readonly string[]
  /**
   * What may be concluded, besides that nothing is known. Written from the rail's facts, and not from the connector.
   *
   * @param seen the last response to each message, in their order: one at least, and none that was not whole
   */
  supported(seen: readonly SeenResponse[]): Supported
  /** Every response meets a connector that has seen no other. */
  isFresh?: true
}

export type FuzzReport = {
  name: string
  documents: readonly unknown[]
  /** @param signed the bytes that the rail signed; none where it signed nothing */
  received(bytes: Buffer, signed: Buffer | undefined): ReceivedReport
  /** Where a rail signs nothing it may be proved otherwise, or not at all; else the bytes that came have to be those signed. */
  isProved?(bytes: Buffer, signed: Buffer | undefined): boolean
  /** By what the rail names it, where that is not our reference. */
  named?: string
  /** Of a report that is proved. */
  supported(document: SeenDocument, kind: RailKind): Supported
  /** As a kind and an outcome: `collect done`. */
  reaches: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
export type SeenDocument = any

export type SeenResponse = { message: string; status: number; document: SeenDocument }

/** Each outcome that a response allows. */
export type Supported = {
  accepted?: boolean
  refused?: boolean
  pending?: boolean
  asked?: boolean
  missing?: boolean
  /** What moved, as it is stated; `unstated` by a rail that never says. */
  done?: MovedMoney | 'unstated' | undefined
  /** Whose account it is: whether it is active. */
  found?: boolean | undefined
}

/** Of every order. */
export const ours = {
  reference: '5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0',
  description: 'Two cups',
  callbackUrl: 'https://pay.example/callbacks/payments/c2VhbGVk.tag',
  mayLeave: () => true,
} as const
export const orderNumber = '482915037264'
export const originalReference = '7d1f0c9a-52c6-4f0a-8d3e-0b54a2ae1b2c'
