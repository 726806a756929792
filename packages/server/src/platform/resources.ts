import assert from 'node:assert/strict'
import { type IdKind, readId } from './ids.ts'

/** A kind of API object. Each is defined by its slice. */
export type Resource = {
  /** Name of the resource in events, owners and cases, such as `internal_transfer`. */
  type: string
  ids: IdKind
  /**
   * Path of the list of these objects: below `/v1` in the API, and below the Space and environment in the
   * console.
   */
  path?: string
  /** Permission to read these objects. Required if they have events. */
  readPermission?: string
  /**
   * The events of the resource: the part of each event type after the dot, with a sentence that describes the
   * event.
   */
  eventTypes?: Record<string, string>
}

/** The types of the events that these resources can have, such as `payment.completed`. */
export type EventTypesOf<R extends Resource> = R extends { type: infer T extends string; eventTypes: infer H }
  ? `${T}.${keyof H & string}`
  : never

const resources = new Map<string, Resource>()

/** Registers resources by their types. `src/slices.ts` registers all of them when it is loaded. */
export function registerResources(more: readonly Resource[]): void {
  for (const resource of more) {
    assert(!resources.has(resource.type), `two slices define the resource ${resource.type}`)
    assert(
      !resource.eventTypes || resource.readPermission,
      `no permission to read is defined for ${resource.type}`,
    )
    resources.set(resource.type, resource)
  }
}

export const allResources = (): Resource[] => [...resources.values()]

/**
 * Returns the resource of a type. The type may belong to a slice that comes after the caller's in the order of
 * slices.
 *
 * @throws Error if no slice defines the type
 */
export function resourceOf(type: string): Resource {
  const resource = resources.get(type)
  if (!resource) throw new Error(`no slice defines the resource ${type}`)
  return resource
}

/** Parses the external id of any kind of object, and returns the kind and the internal id. */
export function readObjectId(text: string): { ids: IdKind; id: string } | undefined {
  const ids = allResources()
    .map((resource) => resource.ids)
    .find((kind) => text.startsWith(`${kind.prefix}-`))
  if (!ids) return undefined
  const id = readId(ids, text)
  return id === undefined ? undefined : { ids, id }
}
