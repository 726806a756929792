import type { ChosenCard } from '../engine/collection-store.ts'
import type { CollectionBody } from './request.ts'

/** The REST rail of banks and wallets, or its variant for the acquirer. */
export type RestVariant = {
  /** Name of the protocol. */
  protocol: string
  /** What it simulates: `bank or wallet`. */
  who: string
  /** Noun for its payments in URLs. */
  noun: 'collections' | 'sessions'
  /** @throws RailError */
  readBody(body: unknown): CollectionBody
  /** Cards that payers can choose on its page. */
  cards: readonly TestCard[]
}

export type TestCard = Omit<ChosenCard, 'token'> & { name: string }
