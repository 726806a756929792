import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { isoTime } from '../../platform/iso-time.ts'
import { resourceOf } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { spaceIds } from './resources.ts'

/**
 * An object that owns another one: its internal id, its resource type and, if any, the metadata that it had
 * when it became the owner.
 */
export type OwnerRef = { id: string; type: string; metadata?: Metadata }

/** Returns a reference to an owner, with its current metadata. */
export const currentOwner = (type: string, { id, metadata }: { id: string; metadata: Metadata }): OwnerRef =>
  Object.keys(metadata).length > 0 ? { id, type, metadata } : { id, type }

/** Returns the id of an owner in its public form. */
export const showOwner = ({ id, type }: OwnerRef): string => showId(resourceOf(type).ids, id)

/** Returns the URL of an owner's page in the console, or null if it has none. */
export function ownerPageUrl(
  baseUrl: string,
  { spaceId, environment }: Scope,
  owner: OwnerRef,
): string | null {
  const { path } = resourceOf(owner.type)
  return path
    ? `${baseUrl}/console/${showId(spaceIds, spaceId)}/${environment}${path}/${showOwner(owner)}`
    : null
}

type Owner = { id: string; type: string; metadata: object; owner: Owner } | Record<string, never>

/** Returns the chain of owners as nested objects, from the nearest owner out to the Space. */
export function ownershipGraph(spaceId: string, owners: readonly OwnerRef[] = []): { owner: Owner } {
  const space: Owner = { id: showId(spaceIds, spaceId), type: 'space', metadata: {}, owner: {} }
  const owner = owners.reduceRight<Owner>(
    (inner, ref) => ({ id: showOwner(ref), type: ref.type, metadata: ref.metadata ?? {}, owner: inner }),
    space,
  )
  return { owner }
}

/** Returns the fields described by `ownedFields`. */
export const presentOwned = (
  spaceId: string,
  { createdAt, updatedAt, metadata }: { createdAt: Date; updatedAt: Date; metadata: Metadata },
  owners?: readonly OwnerRef[],
) => ({
  createTime: isoTime(createdAt),
  updateTime: isoTime(updatedAt),
  ownershipGraph: ownershipGraph(spaceId, owners),
  metadata,
})
