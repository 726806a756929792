import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'
import { type Faults, maxFaults } from '../refusals.ts'
import { visible } from './shapes.ts'

Settings.Set({ maxErrors: maxFaults })
// Addresses are judged by their shape's own rule, which says more than a format could.
Format.Set('uri', () => true)
// RFC 3339 knows leap seconds, and suffixes of time zones; clocks and PostgreSQL do not.
Format.Set('date-time', (value) => Format.IsDateTime(value) && !Number.isNaN(Date.parse(value)))

const maxDepth = 64

type Shape = TSchema & {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
}

export class Checker {
  readonly #validator: Validator
  readonly #schema: Shape

  constructor(schema: TSchema) {
    this.#schema = schema as Shape
    this.#validator = Compile(schema)
  }

  /**
   * Checks a body. In a POST `null` for an optional field is the same as leaving it out; in a PATCH it clears, so a
   * field that cannot be cleared refuses it. Adds what is wrong to `faults` and answers the value without those nulls.
   */
  checkBody(value: unknown, faults: Faults, method: string): unknown {
    // Nothing else looks at it: whoever walks a hundred thousand levels runs out of stack.
    if (isDeeper(value, maxDepth))
      return faults.add('body', `must not be nested deeper than ${maxDepth} levels`)
    checkStorable(value, '', 'body', faults)
    const body = method === 'PATCH' ? value : withoutNulls(this.#schema, value)
    this.#check(body, 'body', faults)
    return body
  }

  /** Checks a query: all text, converted where the shape says so; empty and `null` are the same as absent. */
  checkQuery(query: Record<string, unknown>, faults: Faults): unknown {
    // Without a prototype: a parameter may be called `constructor` or `__proto__`.
    const value: Record<string, unknown> = Object.create(null)
    const fields = this.#schema.properties ?? {}
    for (const [name, each] of Object.entries(query)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field && Array.isArray(each)) faults.add(name, 'is given more than once')
      const given = field && Array.isArray(each) ? each[0] : each
      const isAbsent = field && (given === '' || given === 'null')
      if (!isAbsent) value[name] = convert(field, given)
    }
    checkStorable(value, '', 'query', faults)
    this.#check(value, 'query', faults)
    return value
  }

  #check(value: unknown, part: string, faults: Faults): void {
    if (this.#validator.Check(value)) return
    // An unknown field is told twice, by itself ("boolean") and in the list of its object. The errors are cut at
    // their limit: whatever they are, an invalid value must not get through.
    let told = 0
    for (const error of this.#validator.Errors(value)) {
      if (error.keyword === 'additionalProperties' || error.keyword === 'propertyNames') continue
      told++
      const at = paramOf(error.instancePath)
      const params = error.params as Record<string, unknown>
      if (error.keyword === 'required')
        for (const name of params.requiredProperties as string[])
          faults.add(at === '' ? name : `${at}.${name}`, 'is required')
      else if (error.keyword === 'boolean') faults.add(fieldOf(error.instancePath) || part, 'is not known')
      else faults.add(at || part, sentence(error.keyword, params, error.message))
    }
    if (told === 0) faults.add(part, 'is not valid')
  }
}

/** The param of an object's field, also of one called `0`. */
function fieldOf(pointer: string): string {
  const end = pointer.lastIndexOf('/')
  const [object, name] = [paramOf(pointer.slice(0, end)), plain(pointer.slice(end + 1))]
  return object === '' ? name : `${object}.${name}`
}

const plain = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** `/lineItems/0/price/value` → `lineItems[0].price.value`. */
function paramOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(plain)
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '')
}

function sentence(keyword: string, params: Record<string, unknown>, fallback: string): string {
  const limit = params.limit
  switch (keyword) {
    case 'type':
      if (params.type === 'boolean') return 'must be true or false'
      return `must be ${Array.isArray(params.type) ? params.type.join(' or ') : `of type ${params.type}`}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
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

function withoutNulls(shape: Shape | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutNulls(shape?.items, entry))
  if (typeof value !== 'object' || value === null || !shape?.properties) return value
  const kept: Record<string, unknown> = Object.create(null)
  for (const [name, entry] of Object.entries(value)) {
    const field = Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined
    const droppable = field && !shape.required?.includes(name) && !takesNull(field)
    if (entry !== null || !droppable) kept[name] = withoutNulls(field, entry)
  }
  return kept
}

const takesNull = (shape: Shape) => Array.isArray(shape.type) && shape.type.includes('null')

function convert(shape: Shape | undefined, given: unknown): unknown {
  if (typeof given !== 'string') return given
  if (shape?.type === 'integer' && /^-?\d{1,15}$/.test(given)) return Number(given)
  if (shape?.type === 'boolean' && (given === 'true' || given === 'false')) return given === 'true'
  return given
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1)))

/** What PostgreSQL cannot store and what no number can hold is refused before anything looks at it. */
function checkStorable(value: unknown, at: string, part: string, faults: Faults): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) faults.add(at || part, 'must not contain NUL or unpaired surrogates')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) faults.add(at || part, 'would come back as another number; send it as text')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      const inner = Array.isArray(value) ? `${at}[${name}]` : at ? `${at}.${name}` : name
      if (!isStorable(name)) faults.add(at || part, 'has a key that contains NUL or unpaired surrogates')
      else checkStorable(entry, inner, part, faults)
    }
  }
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
