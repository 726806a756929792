import assert from 'node:assert/strict'
import { type IdKind, readId } from './ids.ts'

/** A kind of object that the API has, as its slice defines it. */
export type Resource = {
  /** As events, owners and cases name it: `internal_transfer`. */
  type: string
  ids: IdKind
  /** The path of their list: below `/v1` in the API, and below the Space and environment in the console. */
  path?: string
  /** What can happen to one, each with a sentence: what stands after the dot of an event's type. */
  happenings?: Record<string, string>
}

/** `payment.completed`, …: the types of the events that these resources can have. */
export type EventTypesOf<R extends Resource> = R extends { type: infer T extends string; happenings: infer H }
  ? `${T}.${keyof H & string}`
  : never

const resources = new Map<string, Resource>()

/** Registers resources by their type. `src/slices.ts` does so with all there are, as soon as it is loaded. */
export function registerResources(more: readonly Resource[]): void {
  for (const resource of more) {
    assert(!resources.has(resource.type), `two slices define the resource ${resource.type}`)
    resources.set(resource.type, resource)
  }
}

export const allResources = (): Resource[] => [...resources.values()]

/**
 * What a row means by the type of an object, which may be of a later slice than the row.
 *
 * @throws Error where no slice defines it
 */
export function resourceOf(type: string): Resource {
  const resource = resources.get(type)
  if (!resource) throw new Error(`no slice defines the resource ${type}`)
  return resource
}

/** What a text is the id of, if it is one: the kind of object, and its inner id. */
export function readObjectId(text: string): { ids: IdKind; id: string } | undefined {
  const ids = allResources()
    .map((resource) => resource.ids)
    .find((kind) => text.startsWith(`${kind.prefix}-`))
  if (!ids) return undefined
  const id = readId(ids, text)
  return id === undefined ? undefined : { ids, id }
}
