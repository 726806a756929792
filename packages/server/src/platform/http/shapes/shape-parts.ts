import type { JsonSchema } from '@pesewa/values'
import { type Fields, fieldsOf, hasKey } from '@pesewa/values'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { visible } from '../../text-rules.ts'

/** A shape. `emptyIsAbsent`: `""` is the same as `null` in a body. */
export type Shape = JsonSchema<TSchema & { emptyIsAbsent?: boolean }>

/**
 * Reports one issue: the argument, what is wrong with it, and the field of the shape that the issue is counted
 * under.
 */
export type ReportIssue = (param: string, error: string, field: string) => void

/**
 * A shape that has been split into parts, so that each object, list and value can be checked separately. Used
 * only for refused bodies, to find every issue and the parts that are well-formed.
 */
export class ShapePart {
  readonly #shape: Shape
  readonly #field: string
  readonly #fields: Map<string, ShapePart> | undefined
  readonly #entries: ShapePart | undefined

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

  /** Reports every issue with the value and returns its well-formed part, or `undefined` if there is none. */
  inspect(value: unknown, at: string, report: ReportIssue): unknown {
    const isFit = this.#reportOwn(value, at, report)
    if (this.#fields && isObject(value)) return this.#inspectFields(this.#fields, value, at, report)
    if (this.#entries && Array.isArray(value)) return this.#inspectEntries(this.#entries, value, at, report)
    return reportUnstorable(value, at, this.#field, report) && isFit ? value : undefined
  }

  #inspectFields(
    fields: Map<string, ShapePart>,
    value: Record<string, unknown>,
    at: string,
    report: ReportIssue,
  ): unknown {
    const sound: Record<string, unknown> = Object.create(null)
    for (const [name, part] of fields) {
      if (value[name] !== undefined) sound[name] = part.inspect(value[name], inside(at, name), report)
      else if (this.#shape.required?.includes(name)) report(inside(at, name), 'is required', part.#field)
    }
    if (this.#shape.additionalProperties === false)
      for (const name of Object.keys(value))
        if (!fields.has(name)) report(inside(at, name), 'is not recognized', `${this.#field}.*`)
    return sound
  }

  /** Inspects the entries of a list, up to its maximum length. */
  #inspectEntries(entries: ShapePart, value: unknown[], at: string, report: ReportIssue): unknown {
    return value
      .slice(0, this.#shape.maxItems)
      .map((entry, i) => entries.inspect(entry, `${at}[${i}]`, report))
  }

  /** Reports the issues with the value itself, but not those with its fields or entries. */
  #reportOwn(value: unknown, at: string, report: ReportIssue): boolean {
    const own = this.#fields || this.#entries ? withoutParts(this.#shape) : this.#shape
    // `Check` needs no compilation. Compiling each part of each shape would take ten times as long, and the
    // parts are needed only for refused bodies.
    if (Check(own, value)) return true
    let isReported = false
    for (const { keyword, instancePath, params, message } of Errors(own, value)) {
      // The keys of a free-form object are reported one by one.
      if (keyword === 'additionalProperties' || keyword === 'propertyNames') continue
      isReported = true
      report(at + paramOf(instancePath, at), sentence(keyword, fieldsOf(params), message), this.#field)
    }
    if (!isReported) report(at, 'is not valid', this.#field)
    return false
  }
}

/**
 * Reports texts that PostgreSQL cannot store and numbers that a double cannot represent. Returns true if there
 * are none.
 */
export function reportUnstorable(value: unknown, at: string, field: string, report: ReportIssue): boolean {
  if (typeof value === 'string') {
    if (isStorable(value)) return true
    report(at, 'must not contain NUL or unpaired surrogates', field)
    return false
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return true
    report(at, 'cannot be represented exactly; send it as a string', field)
    return false
  }
  if (typeof value !== 'object' || value === null) return true
  let isSound = true
  for (const [name, entry] of Object.entries(value)) {
    const isNamed = Array.isArray(value) || isStorable(name)
    if (!isNamed) report(at, 'has a key that contains NUL or unpaired surrogates', field)
    const inner = Array.isArray(value) ? `${at}[${name}]` : inside(at, name)
    if (!isNamed || !reportUnstorable(entry, inner, field, report)) isSound = false
  }
  return isSound
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inside = (at: string, name: string) => (at === '' ? name : `${at}.${name}`)

/** Returns the constraints of the shape itself, without those of its fields or entries. */
function withoutParts(shape: Shape): Shape {
  const { properties, required, additionalProperties, items, ...own } = shape
  return own
}

const plain = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Returns a path inside a free-form value: `/a/0` becomes `.a[0]`, or `a[0]` at the start. */
function paramOf(pointer: string, at: string): string {
  const param = pointer
    .split('/')
    .slice(1)
    .map(plain)
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}.${step}`), '')
  return at === '' ? param.replace(/^\./, '') : param
}

const sentence = (keyword: string, params: Fields, fallback: string): string =>
  hasKey(sentences, keyword) ? sentences[keyword](params) : fallback

const sentences = {
  type: ({ type }: Fields) =>
    type === 'boolean'
      ? 'must be true or false'
      : `must be ${Array.isArray(type) ? type.join(' or ') : `of type ${type}`}`,
  enum: ({ allowedValues }: Fields) => `must be one of ${[allowedValues].flat().join(', ')}`,
  minLength: ({ limit }: Fields) =>
    limit === 1 ? 'must not be empty' : `must be at least ${limit} characters`,
  maxLength: ({ limit }: Fields) => `must be at most ${limit} characters`,
  minItems: ({ limit }: Fields) => `must have at least ${limit} entries`,
  maxItems: ({ limit }: Fields) => `must have at most ${limit} entries`,
  maxProperties: ({ limit }: Fields) => `must have at most ${limit} keys`,
  minProperties: ({ limit }: Fields) => `must have at least ${limit} keys`,
  minimum: ({ limit }: Fields) => `must be at least ${limit}`,
  maximum: ({ limit }: Fields) => `must be at most ${limit}`,
  format: () => 'must be a timestamp such as 2026-11-21T08:00:00Z, without leap seconds',
  pattern: ({ pattern }: Fields) =>
    String(pattern).endsWith(visible)
      ? 'must contain a visible character'
      : `must match the pattern ${pattern}`,
}
