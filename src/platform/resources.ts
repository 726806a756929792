import assert from 'node:assert/strict'
import { type IdKind, readId } from './ids.ts'

/** A kind of API object, defined by its slice. */
export type Resource = {
  /** Its name in events, owners and cases, such as `internal_transfer`. */
  type: string
  ids: IdKind
  /** Path of its list: below `/v1` in the API, and below the Space and environment in the console. */
  path?: string
  /** Its events: the part of each type after the dot, with a sentence that describes it. */
  eventTypes?: Record<string, string>
}

/** `payment.completed`, …: types of the events that these resources can have. */
export type EventTypesOf<R extends Resource> = R extends { type: infer T extends string; eventTypes: infer H }
  ? `${T}.${keyof H & string}`
  : never

const resources = new Map<string, Resource>()

/** Registers resources by type. `src/slices.ts` registers all of them on load. */
export function registerResources(more: readonly Resource[]): void {
  for (const resource of more) {
    assert(!resources.has(resource.type), `two slices define the resource ${resource.type}`)
    resources.set(resource.type, resource)
  }
}

export const allResources = (): Resource[] => [...resources.values()]

/**
 * Returns the resource of an object type, which may belong to a later slice than the row that names it.
 *
 * @throws Error if no slice defines it
 */
export function resourceOf(type: string): Resource {
  const resource = resources.get(type)
  if (!resource) throw new Error(`no slice defines the resource ${type}`)
  return resource
}

/** Parses the id of any kind of object; returns the kind and the inner id. */
export function readObjectId(text: string): { ids: IdKind; id: string } | undefined {
  const ids = allResources()
    .map((resource) => resource.ids)
    .find((kind) => text.startsWith(`${kind.prefix}-`))
  if (!ids) return undefined
  const id = readId(ids, text)
  return id === undefined ? undefined : { ids, id }
}
