import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { argumentRefusal } from '../platform/refusals.ts'

const strict = { additionalProperties: false } as const
const heading = Type.String({ minLength: 1, maxLength: 100 })
const words = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 })

/** How a provider's file is read: which columns mean what, and how it writes amounts, times and directions. */
const shape = Type.Object(
  {
    delimiter: Type.Optional(Type.Enum([',', ';', '\t', '|'])),
    /** The line of the file that has the headings; what stands before it is left out. The first is 1. */
    headingsLine: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    columns: Type.Object(
      {
        /** The provider's own number of the line, never given twice. */
        id: heading,
        time: heading,
        amount: heading,
        /** Our own reference: the rail reference or the order number. */
        reference: Type.Optional(heading),
        /** The provider's number of the transaction, where that is not the line's. */
        transaction: Type.Optional(heading),
        direction: Type.Optional(heading),
        currency: Type.Optional(heading),
      },
      strict,
    ),
    /** Of all lines, where the file has no column for it. */
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    amounts: Type.Optional(
      Type.Object(
        {
          decimal: Type.Optional(Type.Enum(['.', ','])),
          /** What stands between thousands. */
          group: Type.Optional(Type.Enum([',', '.', ' ', "'"])),
        },
        strict,
      ),
    ),
    times: Type.Optional(
      Type.Object(
        {
          /** `iso`, or made of YYYY MM DD HH mm ss, like `DD/MM/YYYY HH:mm`. */
          format: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
          /** Of times that do not say it themselves. */
          offset: Type.Optional(Type.String({ pattern: '^[+-](?:0\\d|1[0-4]):[0-5]\\d$' })),
        },
        strict,
      ),
    ),
    /** The words of the direction's column; `sign`: there is none, and what is below zero was paid out. */
    directions: Type.Optional(
      Type.Union([
        Type.Literal('sign'),
        Type.Object({ collection: Type.Optional(words), disbursement: Type.Optional(words) }, strict),
      ]),
    ),
    /** Lines count only where a column has one of these words: what failed, or is a fee, moved nothing of ours. */
    only: Type.Optional(Type.Record(heading, words, { maxProperties: 10 })),
  },
  strict,
)

export type Mapping = Static<typeof shape>

/** Of the simulator's statements. */
export const simulatorMapping: Mapping = {
  columns: {
    id: 'transaction_id',
    time: 'date',
    amount: 'amount',
    reference: 'reference',
    direction: 'type',
    currency: 'currency',
  },
  directions: { collection: ['collection'], disbursement: ['disbursement'] },
  only: { status: ['SUCCESSFUL'] },
}

const compiled = Compile(shape)

/** @throws Refusal naming what is wrong with the text of a mapping file */
export function readMapping(text: string): Mapping {
  const value = parse(text)
  const [error] = compiled.Errors(value)
  if (error) {
    // A field that the shape does not have fails the schema `false`.
    const words = error.keyword === 'boolean' ? 'is not known' : error.message
    throw refusal(`${error.instancePath.slice(1).replaceAll('/', '.')} ${words}`)
  }
  // The compiled shape, of whose errors there are none, is of this type.
  const mapping = value as Mapping
  const fault = faultOf(mapping)
  if (fault) throw refusal(fault)
  return mapping
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('is not valid JSON')
  }
}

function faultOf({ columns, currency, directions, amounts = {}, times = {} }: Mapping): string | undefined {
  if ((columns.currency === undefined) === (currency === undefined))
    return 'needs columns.currency or currency, and not both'
  if (directions === undefined) return 'needs directions'
  if ((columns.direction === undefined) !== (directions === 'sign'))
    return 'needs columns.direction, or directions "sign", and not both'
  const { format = 'iso' } = times
  const parts: string[] = format.match(/YYYY|MM|DD|HH|mm|ss/g) ?? []
  const isWhole = ['YYYY', 'MM', 'DD'].every((part) => parts.includes(part))
  if (format !== 'iso' && (!isWhole || new Set(parts).size < parts.length))
    return 'times.format needs YYYY, MM and DD, each part once'
  const { decimal = '.', group } = amounts
  return group === decimal ? 'amounts.group and amounts.decimal are the same' : undefined
}

const refusal = (error: string) => argumentRefusal('mapping', error.trim())
