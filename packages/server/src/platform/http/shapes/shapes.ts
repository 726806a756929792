import Type, { type Static, type TSchema, type TStringOptions } from 'typebox'
import { durationMs, parseDuration } from '../../duration.ts'
import type { IdKind } from '../../ids.ts'
import { hiddenCharactersError, hidesCharacters, visible } from '../../text-rules.ts'

/** Shapes shared by many routes. Every bound here is part of the API contract. */

const maxMetadataBytes = 16 * 1024 // limit: size of metadata

/**
 * Returns the shape of an object that refuses unknown fields, because a mistyped field in a payment request is
 * a bug.
 */
export const object = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** Returns a shape that is used only for documentation and validates nothing. */
export const plainShape = (schema: object): TSchema => schema

/** Returns the shape of a text for people, on one or more lines, without hidden characters. */
export const text = (minLength: number, maxLength: number, more: object = {}) =>
  withoutTricks(Type.String({ minLength, maxLength, ...more }))

/**
 * Returns the shape of a text that is not shown to people directly, because it is returned unchanged or parsed
 * first.
 */
export const opaqueText = (minLength: number, maxLength: number, more: object = {}) =>
  Type.String({ minLength, maxLength, ...more })

const withoutTricks = (shape: Type.TString) =>
  Type.Refine(
    shape,
    (value) => !hidesCharacters(value),
    () => hiddenCharactersError,
  )

/**
 * Returns the shape of a name that is shown on a page or a handset. It must contain a visible character, but
 * may be empty if `minLength` is 0.
 */
export const nameText = (minLength: number, maxLength: number, options: TStringOptions = {}) =>
  withoutTricks(
    Type.String({ ...options, minLength, maxLength, pattern: minLength === 0 ? `^$|${visible}` : visible }),
  )

export const optional = Type.Optional

/**
 * Returns the shape with a description of how it is used. The shape's own description follows it, or remains in
 * the shared schema if the shape has a title. `example` is shown in the reference if no request example
 * contains the field.
 */
export function withDescription<T extends TSchema>(shape: T, description: string, example?: unknown): T {
  const copy = copyOf(shape)
  const own: { title?: string; description?: string } = shape
  const place = own.title
    ? { here: description }
    : { description: [description, own.description].filter(Boolean).join(' ') }
  return Object.assign(copy, place, example !== undefined && { examples: [example] })
}

/** Copies a shape so that the copy can be changed. Spreading it would lose the library's internal markers. */
export const copyOf = <T extends TSchema>(shape: T): T =>
  Object.create(Object.prototype, Object.getOwnPropertyDescriptors(shape))

/** Returns the shape of an enum field with a description that includes the meaning of each value. */
export function withMeanings<T extends TSchema>(
  shape: T,
  description: string,
  meanings: Record<Static<T> & string, string>,
  example?: Static<T> & string,
): T {
  const each = Object.entries(meanings).map(([value, meaning]) => `\`${value}\`: ${meaning}`)
  return withDescription(shape, [description, `${each.join('; ')}.`].filter(Boolean).join(' '), example)
}

/** Returns the shape of a text in a response. */
export const shownText = (description: string, example?: string) =>
  Type.String({ ...(example !== undefined && { examples: [example] }), description })

export const flag = (description: string) => Type.Boolean({ description })

/** Returns the shape of a value in a response that may be null. */
export function nullable<T extends TSchema>(shape: T) {
  const { type }: { type?: string } = shape
  return Type.Unsafe<Static<T> | null>({ ...shape, type: [type, 'null'] })
}

export const integerOrNull = (description: string) => withDescription(nullable(Type.Integer()), description)

/** A nullable text in a response. */
export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const textOrNull = (description: string, example?: string) =>
  withDescription(nullableText, description, example)

/** Returns the shape of a field that is an object with these fields. */
export const group = <P extends Type.TProperties>(description: string, fields: P) =>
  withDescription(object(fields), description)

/** Like `group`, for a field that may be null. */
export const groupOrNull = <P extends Type.TProperties>(description: string, fields: P) =>
  withDescription(nullable(object(fields)), description)

export const arrayOf = <T extends TSchema>(description: string, entry: T) =>
  withDescription(Type.Array(entry), description)

/** Returns the shape of a field that is a list of objects with these fields. */
export const listOf = <P extends Type.TProperties>(description: string, fields: P) =>
  withDescription(Type.Array(object(fields)), description)

export const nullableTime = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })

type Refinement = { check(value: unknown): boolean; error(value: unknown): string }

/** Returns the shape of a field that a PATCH can clear with `null`. */
export function clearable<T extends TSchema>(schema: T) {
  const { type, '~refine': refinements = [] }: { type?: string; '~refine'?: Refinement[] } = schema
  let loose: TSchema = Type.Unsafe({ ...schema, type: [type, 'null'] })
  for (const { check, error } of refinements)
    loose = Type.Refine(loose, (value) => value === null || check(value), error)
  return Type.Optional(Type.Unsafe<Type.Static<T> | null>(loose))
}

/** Returns an example of an id of this kind. */
export const exampleId = ({ prefix }: IdKind) => `${prefix}-01kaj3v5w8e4r9tbn2m6c7d0xz`

export const idOf = (kind: IdKind) =>
  Type.String({ pattern: `^${kind.prefix}-[0-7][0-9a-hjkmnp-tv-z]{25}$`, examples: [exampleId(kind)] })

const maxPathName = 200

/** Returns the shape of a path parameter that is an id or a name. */
export const pathName = (description: string, example: string) =>
  text(0, maxPathName, { description, examples: [example] })

/** Returns the shape of an object's own id. */
export const ownId = (kind: IdKind) => withDescription(idOf(kind), 'Unique id, which never changes.')

/**
 * Treats `""` as `null` in an optional field, because forms send `""` for empty inputs. It must not be used for
 * fields that restrict what is allowed, because an empty text would then lift the restriction.
 */
const emptyIsAbsent = { emptyIsAbsent: true }

/**
 * Returns the shape of another object's id. Any text is valid, because the id is looked up and may simply be
 * unknown.
 */
export const referenceTo = (kind: IdKind) =>
  Type.String({ maxLength: 100, examples: [exampleId(kind)], ...emptyIsAbsent })

export const optionalReferenceTo = (kind: IdKind, description: string) =>
  withDescription(optional(referenceTo(kind)), description)

export const optionalText = (maxLength: number, description: string, example?: string) =>
  withDescription(optional(text(0, maxLength)), description, example)

export const optionalEnum = <V extends string[]>(values: readonly [...V], description: string) =>
  withDescription(optional(Type.Enum<V>(values)), description)

/** Returns the shape of an optional id that must be well-formed. */
export const optionalIdOf = (kind: IdKind) => optional(Object.assign(copyOf(idOf(kind)), emptyIsAbsent))

/** The filter `q`, which searches by several identifiers. */
export const searchQuery = optional(
  Type.String({
    maxLength: 255, // limit: length of the filter `q`
    description:
      'Searches by exact identifier: an id, an order number, a reference or the rail’s transaction id. Unknown values match nothing.',
    examples: ['482915037264'],
  }),
)

export const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-21T10:00:00.000Z'] })

/** The shape of an object's creation time, by the Space’s clock. */
export const createTime = withDescription(timestamp, 'Time of creation, by the Space’s clock.')
export const updateTime = withDescription(timestamp, 'Time of the last change.')

/**
 * Returns the shape of a failure, which is null if nothing failed. `codes` contains the meaning of each failure
 * code.
 */
export const failureDetail = (codes: Record<string, string>) =>
  Type.Unsafe<{ code: string; message: string } | null>({
    type: ['object', 'null'],
    description: 'Reason for the failure; null unless `status` is `failed`.',
    required: ['code', 'message'],
    properties: {
      code: withMeanings(
        Type.Unsafe<string>({ type: 'string', enum: Object.keys(codes) }),
        'Machine-readable failure code.',
        codes,
      ),
      message: withDescription(
        Type.String(),
        'Human-readable message. The wording may change.',
        'The payer did not approve in time.',
      ),
    },
    additionalProperties: false,
  })

const anyObject = (more: object = {}) => Type.Unsafe<Record<string, unknown>>({ type: 'object', ...more })

export const metadata = Type.Refine(
  anyObject({
    maxProperties: 64, // limit: number of keys in metadata
    propertyNames: { minLength: 1, maxLength: 64 }, // limit: length of a key in metadata
    description: 'Your own data, returned unchanged: a JSON object of at most 16 KiB.',
    examples: [{ cart: '42' }],
  }),
  (value) => Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes,
  () => 'must be at most 16 KiB',
)

export type Metadata = Record<string, unknown>
export const freeObject = anyObject({ additionalProperties: true })
export const shownMetadata = withDescription(freeObject, 'Your own data, as you sent it.')

/** Returns the shape of a duration between two inclusive bounds. `standard` is its default. */
export const duration = (min: string, max: string, standard?: string) => {
  const [minMs, maxMs] = [durationMs(min), durationMs(max)]
  return Type.Refine(
    Type.String({
      maxLength: 32,
      description: `A duration such as 90s, 10m or 1h30m, from ${min} to ${max}.`,
      examples: [max],
      ...(standard !== undefined && { default: standard }),
    }),
    (value) => {
      const ms = parseDuration(value)
      return ms !== undefined && ms >= minMs && ms <= maxMs
    },
    () => `must be a duration such as 90s, 10m or 1h30m, from ${min} to ${max}`,
  )
}

/** Returns the shape of an absolute http(s) URL without credentials. */
export const webAddress = (
  maxLength = 255, // limit: length of a merchant’s URL, such as that of a webhook or a return page
) =>
  Type.Refine(
    Type.String({
      maxLength,
      format: 'uri',
      description: 'Absolute http or https URL without credentials.',
      examples: ['https://shop.example/thanks?cart=42'],
      ...emptyIsAbsent,
    }),
    isWebAddress,
    () => 'must be an absolute http or https URL without credentials',
  )

/** The shape of an absolute URL in a response. It is never null, unlike `nullableAddress`. */
export const shownAddress = Type.String({ format: 'uri' })
export const nullableAddress = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' })

/** A colour in CSS hexadecimal notation. */
export const webColor = Type.String({
  pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
  examples: ['#0f6b4f'],
  ...emptyIsAbsent,
})

function isWebAddress(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || /[\s\\]/.test(value) || !URL.canParse(value)) return false
  const { username, password, hostname } = new URL(value)
  return username === '' && password === '' && hostname !== ''
}
