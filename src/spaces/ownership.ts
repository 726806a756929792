import type { Metadata } from '../platform/http/shapes.ts'
import { type IdKind, showId } from '../platform/ids.ts'

/**
 * An object that owns another: its inner id and its type, as the API names it, and its metadata at the time, left out
 * where it has none.
 */
export type OwnerRef = {
  id: string
  type: 'checkout_session' | 'payment_code' | 'payment' | 'payout' | 'internal_transfer'
  metadata?: Metadata
}

/** An owner with its metadata as it is now. */
export const ownerOf = (
  type: OwnerRef['type'],
  { id, metadata }: { id: string; metadata: Metadata },
): OwnerRef => (Object.keys(metadata).length > 0 ? { id, type, metadata } : { id, type })

const idKinds = {
  checkout_session: 'checkoutSession',
  payment_code: 'paymentCode',
  payment: 'payment',
  payout: 'payout',
  internal_transfer: 'internalTransfer',
} as const satisfies Record<OwnerRef['type'], IdKind>

/** The id of an owner as the API shows it. */
export const showOwner = ({ id, type }: OwnerRef): string => showId(idKinds[type], id)

type Owner = { id: string; type: string; metadata: object; owner: Owner } | Record<string, never>

/** The chain of owners from the nearest outwards; the innermost is the Space. */
export function ownershipGraph(spaceId: string, owners: readonly OwnerRef[]): { owner: Owner } {
  const space: Owner = { id: showId('space', spaceId), type: 'space', metadata: {}, owner: {} }
  const owner = owners.reduceRight<Owner>(
    (inner, owner) => ({
      id: showOwner(owner),
      type: owner.type,
      metadata: owner.metadata ?? {},
      owner: inner,
    }),
    space,
  )
  return { owner }
}

export const spaceGraph = (spaceId: string) => ownershipGraph(spaceId, [])
