import type { ChosenCard } from '../engine/collection-store.ts'
import type { CollectionBody } from './request.ts'

/** The REST rail of banks and wallets, or the acquirer's variant of it. */
export type RestVariant = {
  /** The name of the protocol. */
  protocol: string
  /** Whom it simulates: `bank or wallet`. */
  who: string
  /** By what payers pay, in its addresses. */
  noun: 'collections' | 'sessions'
  /** @throws RailError */
  readBody(body: unknown): CollectionBody
  /** Which the payer chooses from, on the rail's page. */
  cards: readonly TestCard[]
}

export type TestCard = Omit<ChosenCard, 'token'> & { name: string }
