import type { ChosenCard } from '@pesewa/connector-kit/simulator'
import type { CollectionBody } from './request.ts'

/** The REST rail of banks and wallets, or the variant of it for the acquirer. */
export type RestVariant = {
  /** Name of the protocol. */
  protocol: string
  /** Kind of provider that the variant simulates, such as `bank or wallet`. */
  who: string
  /** The noun for payments in the variant's URLs. */
  noun: 'collections' | 'sessions'
  /**
   * Validates the body of a collection request.
   *
   * @throws RailError
   */
  readBody(body: unknown): CollectionBody
  /** The cards that payers can choose on its page. */
  cards: readonly TestCard[]
}

export type TestCard = Omit<ChosenCard, 'token'> & { name: string }
