import Type, { type Static, type TSchema, type TStringOptions } from 'typebox'
import { hiddenFault, hidesCharacters, visible } from '../bounds.ts'
import { durationMs, parseDuration } from '../duration.ts'
import type { IdKind } from '../ids.ts'

/** Shapes that many routes share. Each bound here is a bound of the contract. */

const maxMetadataBytes = 16 * 1024 // limit: metadata

/** An object that refuses fields it does not know: a mistyped field in a payment is a bug. */
export const object = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A shape that is documented and never checks anything. */
export const plainShape = (schema: object): TSchema => schema

/** A text that people read, of one line or several: it shows all that is in it. */
export const text = (minLength: number, maxLength: number, more: object = {}) =>
  withoutTricks(Type.String({ minLength, maxLength, ...more }))

/** A text that nobody reads as it is: it goes back to whoever sent it, or is taken apart first. */
export const opaqueText = (minLength: number, maxLength: number, more: object = {}) =>
  Type.String({ minLength, maxLength, ...more })

const withoutTricks = (shape: Type.TString) =>
  Type.Refine(
    shape,
    (value) => !hidesCharacters(value),
    () => hiddenFault,
  )

/** What people call something, and read on a page or a handset. Where it may be empty, only that means none. */
export const nameText = (minLength: number, maxLength: number, options: TStringOptions = {}) =>
  withoutTricks(
    Type.String({ ...options, minLength, maxLength, pattern: minLength === 0 ? `^$|${visible}` : visible }),
  )

export const optional = Type.Optional

/**
 * The same shape, with what it is in this place, before what it says of itself: that stands with its title, where it has one.
 * `example`: what the reference shows of it where no example of a request says it.
 */
export function described<T extends TSchema>(shape: T, description: string, example?: unknown): T {
  const copy = copyOf(shape)
  const own: { title?: string; description?: string } = shape
  const place = own.title
    ? { here: description }
    : { description: [description, own.description].filter(Boolean).join(' ') }
  return Object.assign(copy, place, example !== undefined && { examples: [example] })
}

/** A copy to be changed. The library’s own marks do not come along when a shape is spread. */
export const copyOf = <T extends TSchema>(shape: T): T =>
  Object.create(Object.prototype, Object.getOwnPropertyDescriptors(shape))

/** The same of a field with few values, each with what it means. */
export function explained<T extends TSchema>(
  shape: T,
  description: string,
  meanings: Record<Static<T> & string, string>,
  example?: Static<T> & string,
): T {
  const each = Object.entries(meanings).map(([value, meaning]) => `\`${value}\`: ${meaning}`)
  return described(shape, [description, `${each.join('; ')}.`].filter(Boolean).join(' '), example)
}

/** A text of a response that may be absent. */
export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

type Refinement = { check(value: unknown): boolean; error(value: unknown): string }

/** A field that a PATCH may clear with `null`. */
export function clearable<T extends TSchema>(schema: T) {
  const { type, '~refine': refinements = [] }: { type?: string; '~refine'?: Refinement[] } = schema
  let loose: TSchema = Type.Unsafe({ ...schema, type: [type, 'null'] })
  for (const { check, error } of refinements)
    loose = Type.Refine(loose, (value) => value === null || check(value), error)
  return Type.Optional(Type.Unsafe<Type.Static<T> | null>(loose))
}

/** The id that stands for all of a kind in examples. */
export const exampleId = ({ prefix }: IdKind) => `${prefix}-01kaj3v5w8e4r9tbn2m6c7d0xz`

export const idOf = (kind: IdKind) =>
  Type.String({ pattern: `^${kind.prefix}-[0-7][0-9a-hjkmnp-tv-z]{25}$`, examples: [exampleId(kind)] })

const maxPathName = 200 // limit: an id or a name in an address

/** What an address names. */
export const pathName = (description: string, example: string) =>
  text(0, maxPathName, { description, examples: [example] })

/** The id of the object that a shape is about. */
export const ownId = (kind: IdKind) => described(idOf(kind), 'Its id, which never changes.')

/**
 * Where such a field of a body is optional, `""` means what `null` means: forms send it for an input that was left empty.
 * Nothing that would allow more by its absence is marked so.
 */
const emptyIsAbsent = { emptyIsAbsent: true }

/** The id of another object, as it comes in: looked up, so that any text is at most "unknown". */
export const referenceTo = (kind: IdKind) =>
  Type.String({ maxLength: 100, examples: [exampleId(kind)], ...emptyIsAbsent })

/** The filter `q`: whatever names an object. */
export const nameQuery = optional(
  Type.String({
    maxLength: 255, // limit: what `q` names
    description:
      'What names it, whole: an id, an order number, a reference or a transaction of the rail. What names nothing finds nothing.',
    examples: ['482915037264'],
  }),
)

export const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-21T10:00:00.000Z'] })

/** When an object came to be, and when it last changed: by the Space’s clock. */
export const createTime = described(timestamp, 'When it was created, by the clock of the Space.')
export const updateTime = described(timestamp, 'When it last changed.')

/** Why something failed, or null. `codes`: each with what it means. */
export const failureDetail = (codes: Record<string, string>) =>
  Type.Unsafe<{ code: string; message: string } | null>({
    type: ['object', 'null'],
    description: 'Why it failed; null unless `status` is `failed`.',
    required: ['code', 'message'],
    properties: {
      code: explained(
        Type.Unsafe<string>({ type: 'string', enum: Object.keys(codes) }),
        'What programs decide by.',
        codes,
      ),
      message: described(
        Type.String(),
        'A sentence for people. It may change.',
        'The payer did not approve in time.',
      ),
    },
    additionalProperties: false,
  })

const anyObject = (more: object = {}) => Type.Unsafe<Record<string, unknown>>({ type: 'object', ...more })

export const metadata = Type.Refine(
  anyObject({
    maxProperties: 64, // limit: keys of metadata
    propertyNames: { minLength: 1, maxLength: 64 }, // limit: a key of metadata
    description: 'Your own data, shown as it was sent: a JSON object of at most 16 KiB.',
    examples: [{ cart: '42' }],
  }),
  (value) => Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes,
  () => 'must be at most 16 KiB',
)

export type Metadata = Record<string, unknown>
export const freeObject = anyObject({ additionalProperties: true })
export const shownMetadata = described(freeObject, 'Your own data, as it was sent.')

/** A duration text between two bounds, inclusive; `standard`: what it is when nothing is said. */
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

/** An absolute http(s) address without credentials. */
export const webAddress = (
  maxLength = 255, // limit: an address of a merchant’s: a webhook’s, or where payers return to
) =>
  Type.Refine(
    Type.String({
      maxLength,
      format: 'uri',
      description: 'An absolute http or https address without credentials.',
      examples: ['https://shop.example/thanks?cart=42'],
      ...emptyIsAbsent,
    }),
    isWebAddress,
    () => 'must be an absolute http or https address without credentials',
  )

/** An absolute address in a response, and one that may be absent. */
export const shownAddress = Type.String({ format: 'uri' })
export const nullableAddress = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' })

/** A colour as style sheets write it. */
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
