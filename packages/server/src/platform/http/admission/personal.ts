import type { JsonSchema } from '@pesewa/values'
import { type Fields, hasFields } from '@pesewa/values'
import type { TSchema } from 'typebox'
import { maskAccount, maskName, maskPhone } from '../../masks.ts'
import { allResources } from '../../resources.ts'
import type { Route } from '../commands/route.ts'
import { copyOf } from '../shapes/shapes.ts'
import type { Access } from './gate.ts'

// Shapes declare which of their fields contain personal data. This module masks these fields in pages, files,
// the stream and the request log.

const masks = {
  phone: maskPhone,
  account: maskAccount,
  name: maskName,
  /** Free text written by others, which may contain any personal data. */
  text: () => '****',
}

type Personal = {
  kind: keyof typeof masks
  /** The permission that reveals the field. Defaults to the caller's `seesPersonalData`. */
  permission?: string
}

/** Marks a field as personal data. */
export const personal = <T extends TSchema>(shape: T, kind: Personal['kind'], permission?: string): T =>
  Object.assign(copyOf(shape), { personal: { kind, ...(permission && { permission }) } })

/**
 * Marks a field that contains another resource in the form that GET returns. `typeOf` reads the type of that
 * resource from the surrounding object.
 */
export const resourceInside = <T extends TSchema>(shape: T, typeOf: (around: Fields) => string): T =>
  Object.assign(copyOf(shape), { resourceType: typeOf })

type Shape = JsonSchema<{ personal?: Personal; resourceType?: (around: Fields) => string }>

/** The reader of a response. */
export type Viewer = Pick<Access, 'may' | 'seesPersonalData'>

/** The viewer that represents readers of the request log, who see no personal data. */
export const seesNothing: Viewer = { may: () => false, seesPersonalData: false }

/**
 * Masks the parts of a value that the viewer may not see, and returns the result. `around` is the object that
 * contains the value.
 */
type Mask = (value: unknown, viewer: Viewer, around?: Fields) => unknown

/** Returns the shape of the GET response for a type of resource. */
export type ShapeOfType = (type: string) => TSchema | undefined

export function shapesOfTypes(routes: Route[]): ShapeOfType {
  return (type) => {
    const kind = allResources().find((resource) => resource.type === type)?.ids
    return routes.find(
      (route) => route.kind === 'read' && route.idKind === kind && route.url.endsWith('/:id'),
    )?.result
  }
}

/** Masks the personal data in values of one shape. */
export class Masker {
  readonly #shape: Shape
  readonly #shapeOfType: ShapeOfType
  /** The masks are created on first use, so that start-up does not process hundreds of shapes. */
  #mask: { of: Mask | undefined } | undefined
  readonly #permissions = new Set<string | undefined>()
  readonly #masksOfTypes = new Map<string, Mask | undefined>()

  constructor(shape: TSchema, shapeOfType: ShapeOfType = () => undefined) {
    this.#shape = shape
    this.#shapeOfType = shapeOfType
  }

  /** Returns a function that masks values for a viewer, or `undefined` if the shape has nothing to mask. */
  maskFor(viewer: Viewer): ((value: unknown) => unknown) | undefined {
    this.#mask ??= { of: this.#maskOf(this.#shape) }
    const mask = this.#mask.of
    const seesAll = [...this.#permissions].every((permission) => sees(viewer, permission))
    return mask && !seesAll ? (value) => mask(value, viewer) : undefined
  }

  #maskOf(shape: Shape): Mask | undefined {
    if (shape.personal) {
      this.#permissions.add(shape.personal.permission)
      return maskOfField(shape.personal)
    }
    const { resourceType } = shape
    if (resourceType) {
      this.#permissions.add(undefined)
      return (value, viewer, around = {}) => this.#maskOfType(resourceType(around))?.(value, viewer) ?? value
    }
    const variants = [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]
    const fields = new Map<string, Mask>()
    for (const { properties = {} } of variants)
      for (const [name, field] of Object.entries(properties)) {
        const mask = this.#maskOf(field)
        if (mask) fields.set(name, mask)
      }
    const [entry] = variants.flatMap(({ items }) => (items && this.#maskOf(items)) ?? [])
    if (fields.size === 0 && !entry) return undefined
    return (value, viewer) => {
      if (Array.isArray(value)) return entry ? value.map((each) => entry(each, viewer)) : value
      return hasFields(value) ? maskFields(fields, value, viewer) : value
    }
  }

  #maskOfType(type: string): Mask | undefined {
    const shape = this.#masksOfTypes.has(type) ? undefined : this.#shapeOfType(type)
    if (shape) this.#masksOfTypes.set(type, this.#maskOf(shape))
    return this.#masksOfTypes.get(type)
  }
}

const sees = ({ may, seesPersonalData }: Viewer, permission: string | undefined) =>
  permission === undefined ? seesPersonalData : may(permission)

function maskFields(fields: Map<string, Mask>, value: Fields, viewer: Viewer): Fields {
  const masked = { ...value }
  for (const [name, mask] of fields)
    if (Object.hasOwn(value, name)) masked[name] = mask(value[name], viewer, value)
  return masked
}

function maskOfField({ kind, permission }: Personal): Mask {
  const mask = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(mask) : typeof value === 'string' && value ? masks[kind](value) : value
  return (value, viewer) => (sees(viewer, permission) ? value : mask(value))
}
