import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'
import { type Issues, maxIssuesPerField } from '../../refusals.ts'
import { type ReportIssue, reportUnstorable, type Shape, ShapePart } from './shape-parts.ts'

Settings.Set({ maxErrors: maxIssuesPerField })
// The format `uri` is not checked, because the shapes of URLs check them more precisely.
Format.Set('uri', () => true)
// RFC 3339 allows leap seconds and time zone suffixes, but clocks and PostgreSQL do not.
Format.Set('date-time', (value) => Format.IsDateTime(value) && !Number.isNaN(Date.parse(value)))

const maxDepth = 64 // levels of nesting in a body

export class Checker {
  readonly #schema: Shape
  #parts: ShapePart | undefined

  constructor(schema: TSchema) {
    this.#schema = schema
  }

  /**
   * Validates a body, adds its issues to `issues`, and returns it without nulls. `null` in an optional field
   * means that the field is absent. In a PATCH, however, `null` clears a top-level field, and fields that
   * cannot be cleared refuse it. In optional ids, URLs and colours, `""` is the same as `null`.
   */
  checkBody(value: unknown, issues: Issues, method: string): unknown {
    // The depth is checked first, because recursing through a hundred thousand levels would exhaust the stack.
    if (isDeeper(value, maxDepth))
      return issues.add('body', `must not be nested deeper than ${maxDepth} levels`)
    const body = withoutNulls(this.#schema, value, method === 'PATCH' ? 'inner' : 'all')
    this.#check(body, 'body', issues)
    return body
  }

  /**
   * Validates a query. Text values are converted as the shape requires, and empty values and `null` are treated
   * as absent.
   */
  checkQuery(query: Record<string, unknown>, issues: Issues): unknown {
    // The object has no prototype, because a parameter may be called `constructor` or `__proto__`.
    const value: Record<string, unknown> = Object.create(null)
    const fields = this.#schema.properties ?? {}
    for (const [name, each] of Object.entries(query)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field && Array.isArray(each)) issues.add(name, 'is given more than once')
      const raw = field && Array.isArray(each) ? each[0] : each
      const isAbsent = field && (raw === '' || raw === 'null')
      if (!isAbsent) value[name] = convert(field, raw)
    }
    this.#check(value, 'query', issues)
    return value
  }

  /** Returns the well-formed parts of an invalid body; malformed fields are left out. */
  wellFormedParts(body: unknown): unknown {
    return this.#inspect(body, () => {})
  }

  #check(value: unknown, part: string, issues: Issues): void {
    const isValid = validatorOf(this.#schema).Check(value)
    if (isValid && reportUnstorable(value, '', '', () => {})) return
    let isReported = false
    this.#inspect(value, (param, error, field) => {
      isReported = true
      issues.add(param || part, error, field)
    })
    // An invalid value must be refused even if none of its parts reports an issue.
    if (!isReported) issues.add(part, 'is not valid')
  }

  #inspect(value: unknown, report: ReportIssue): unknown {
    this.#parts ??= new ShapePart(this.#schema)
    return this.#parts.inspect(value, '', report)
  }
}

function withoutNulls(shape: Shape | undefined, value: unknown, which: 'all' | 'inner' = 'all'): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutNulls(shape?.items, entry))
  if (typeof value !== 'object' || value === null || !shape?.properties) return value
  const kept: Record<string, unknown> = Object.create(null)
  for (const [name, entry] of Object.entries(value)) {
    const field = Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined
    const optional = field && !shape.required?.includes(name)
    const isNone = entry === null || (entry === '' && optional && field.emptyIsAbsent)
    if (isNone && optional && takesNull(field)) kept[name] = null
    else if (!isNone || !optional || which !== 'all') kept[name] = withoutNulls(field, entry)
  }
  return kept
}

const takesNull = (shape: Shape) => Array.isArray(shape.type) && shape.type.includes('null')

function convert(shape: Shape | undefined, raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  if (shape?.type === 'integer' && /^-?\d{1,16}$/.test(raw)) return Number(raw)
  if (shape?.type === 'boolean' && (raw === 'true' || raw === 'false')) return raw === 'true'
  return raw
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1)))

const validators = new WeakMap<TSchema, Validator>()

/**
 * Returns the validator of a shape. Compiling takes milliseconds, so it is done on first use, and once for all
 * routes that share the shape.
 */
export function validatorOf(shape: TSchema): Validator {
  const known = validators.get(shape)
  if (known) return known
  const validator = Compile(shape)
  validators.set(shape, validator)
  return validator
}
