import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { visible } from '../bounds.ts'
import { fieldsOf } from '../fields.ts'

/** A JSON Schema as our shapes use it. */
export type Shape = TSchema & {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  maxItems?: number
  additionalProperties?: boolean | Shape
}

/** Takes one fault: where it is, what is wrong, and which field of the shape it is a fault of. */
export type Tell = (param: string, error: string, field: string) => void

/**
 * A shape taken apart: each object, list and value in it with a check of its own. Only a body that is refused comes
 * here, to find every fault whatever else is wrong, and what of the body is sound all the same.
 */
export class ShapePart {
  readonly #shape: Shape
  readonly #field: string
  readonly #fields: Map<string, ShapePart> | undefined
  readonly #entries: ShapePart | undefined
  #own: Validator | undefined

  constructor(shape: Shape, field = '') {
    this.#shape = shape
    this.#field = field
    if (shape.properties)
      this.#fields = new Map(
        Object.entries(shape.properties).map(([name, inner]) => [
          name,
          new ShapePart(inner, inside(field, name)),
        ]),
      )
    if (shape.items) this.#entries = new ShapePart(shape.items, `${field}[]`)
  }

  /** Tells all that is wrong with the value, and answers what is sound of it: `undefined` where nothing is. */
  inspect(value: unknown, at: string, tell: Tell): unknown {
    const isFit = this.#tellOwn(value, at, tell)
    if (this.#fields && isObject(value)) return this.#inspectFields(this.#fields, value, at, tell)
    if (this.#entries && Array.isArray(value)) return this.#inspectEntries(this.#entries, value, at, tell)
    return tellUnstorable(value, at, this.#field, tell) && isFit ? value : undefined
  }

  #inspectFields(
    fields: Map<string, ShapePart>,
    value: Record<string, unknown>,
    at: string,
    tell: Tell,
  ): unknown {
    const sound: Record<string, unknown> = Object.create(null)
    for (const [name, part] of fields) {
      if (value[name] !== undefined) sound[name] = part.inspect(value[name], inside(at, name), tell)
      else if (this.#shape.required?.includes(name)) tell(inside(at, name), 'is required', part.#field)
    }
    if (this.#shape.additionalProperties === false)
      for (const name of Object.keys(value))
        if (!fields.has(name)) tell(inside(at, name), 'is not known', `${this.#field}.*`)
    return sound
  }

  /** Of a list that is too long, the entries that it might have. */
  #inspectEntries(entries: ShapePart, value: unknown[], at: string, tell: Tell): unknown {
    return value.slice(0, this.#shape.maxItems).map((entry, i) => entries.inspect(entry, `${at}[${i}]`, tell))
  }

  /** What is wrong with the value itself, whatever its fields and entries are. */
  #tellOwn(value: unknown, at: string, tell: Tell): boolean {
    this.#own ??= Compile(this.#fields || this.#entries ? withoutParts(this.#shape) : this.#shape)
    if (this.#own.Check(value)) return true
    let isTold = false
    for (const { keyword, instancePath, params, message } of this.#own.Errors(value)) {
      // The keys of a free object are told one by one.
      if (keyword === 'additionalProperties' || keyword === 'propertyNames') continue
      isTold = true
      tell(at + paramOf(instancePath, at), sentence(keyword, fieldsOf(params), message), this.#field)
    }
    if (!isTold) tell(at, 'is not valid', this.#field)
    return false
  }
}

/** Tells what PostgreSQL cannot store and what no number can hold. Answers whether there is nothing of the kind. */
export function tellUnstorable(value: unknown, at: string, field: string, tell: Tell): boolean {
  if (typeof value === 'string') {
    if (isStorable(value)) return true
    tell(at, 'must not contain NUL or unpaired surrogates', field)
    return false
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return true
    tell(at, 'would come back as another number; send it as text', field)
    return false
  }
  if (typeof value !== 'object' || value === null) return true
  let isSound = true
  for (const [name, entry] of Object.entries(value)) {
    const isNamed = Array.isArray(value) || isStorable(name)
    if (!isNamed) tell(at, 'has a key that contains NUL or unpaired surrogates', field)
    const inner = Array.isArray(value) ? `${at}[${name}]` : inside(at, name)
    if (!isNamed || !tellUnstorable(entry, inner, field, tell)) isSound = false
  }
  return isSound
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inside = (at: string, name: string) => (at === '' ? name : `${at}.${name}`)

/** What the shape of an object or a list says of itself: not of its fields or entries. */
function withoutParts(shape: Shape): Shape {
  const { properties, required, additionalProperties, items, ...own } = shape
  return own
}

const plain = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Inside a free value: `/a/0` → `.a[0]`, or `a[0]` where nothing is before it. */
function paramOf(pointer: string, at: string): string {
  const param = pointer
    .split('/')
    .slice(1)
    .map(plain)
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}.${step}`), '')
  return at === '' ? param.replace(/^\./, '') : param
}

function sentence(keyword: string, params: Record<string, unknown>, fallback: string): string {
  const limit = params.limit
  switch (keyword) {
    case 'type':
      if (params.type === 'boolean') return 'must be true or false'
      return `must be ${Array.isArray(params.type) ? params.type.join(' or ') : `of type ${params.type}`}`
    case 'enum':
      return `must be one of ${[params.allowedValues].flat().join(', ')}`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} entries`
    case 'maxItems':
      return `must have at most ${limit} entries`
    case 'maxProperties':
      return `must have at most ${limit} keys`
    case 'minProperties':
      return `must have at least ${limit} keys`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'format':
      return 'must be a time such as 2026-11-21T08:00:00Z, and no leap second'
    case 'pattern':
      if (String(params.pattern).endsWith(visible)) return 'must have a character that can be seen'
      return `must have the form ${params.pattern}`
    default:
      return fallback
  }
}
