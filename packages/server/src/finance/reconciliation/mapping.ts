import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { argumentRefusal } from '../../platform/refusals.ts'

const strict = { additionalProperties: false } as const
const heading = Type.String({ minLength: 1, maxLength: 100 })
const words = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 })

/**
 * Describes how to read a provider's file: the meaning of its columns, and the format of its amounts, times and
 * directions.
 */
const shape = Type.Object(
  {
    delimiter: Type.Optional(Type.Enum([',', ';', '\t', '|'])),
    /** Number of the line with the headings, counted from 1. Earlier lines are skipped. */
    headingsLine: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    columns: Type.Object(
      {
        /** The provider's unique number for the line. */
        id: heading,
        time: heading,
        amount: heading,
        /** Our reference for the object: the rail reference or the order number. */
        reference: Type.Optional(heading),
        /** The provider's transaction number, if it differs from the line number. */
        transaction: Type.Optional(heading),
        direction: Type.Optional(heading),
        currency: Type.Optional(heading),
      },
      strict,
    ),
    /** Currency of all lines, if the file has no column for it. */
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    amounts: Type.Optional(
      Type.Object(
        {
          decimal: Type.Optional(Type.Enum(['.', ','])),
          /** The thousands separator. */
          group: Type.Optional(Type.Enum([',', '.', ' ', "'"])),
        },
        strict,
      ),
    ),
    times: Type.Optional(
      Type.Object(
        {
          /** `iso`, or a combination of YYYY MM DD HH mm ss, such as `DD/MM/YYYY HH:mm`. */
          format: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
          /** UTC offset of times that do not include one. */
          offset: Type.Optional(Type.String({ pattern: '^[+-](?:0\\d|1[0-4]):[0-5]\\d$' })),
        },
        strict,
      ),
    ),
    /**
     * The words in the direction column. `sign` means that the file has no such column, and that negative
     * amounts were paid out.
     */
    directions: Type.Optional(
      Type.Union([
        Type.Literal('sign'),
        Type.Object({ collection: Type.Optional(words), disbursement: Type.Optional(words) }, strict),
      ]),
    ),
    /**
     * Includes only lines that have one of these values in the column, because failed transactions and fees did
     * not move our money.
     */
    only: Type.Optional(Type.Record(heading, words, { maxProperties: 10 })),
  },
  strict,
)

export type Mapping = Static<typeof shape>

/** The mapping of the simulator's statements. */
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

/**
 * Parses a mapping file.
 *
 * @throws Refusal that says what is wrong with the file
 */
export function readMapping(text: string): Mapping {
  const value = parse(text)
  const [error] = compiled.Errors(value)
  if (error) {
    // For an unknown field, the error comes from the schema `false`.
    const words = error.keyword === 'boolean' ? 'is not a known field' : error.message
    throw refusal(`${error.instancePath.slice(1).replaceAll('/', '.')} ${words}`)
  }
  // The compiled shape found no errors, so the value has this type.
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
    return 'needs either columns.currency or currency'
  if (directions === undefined) return 'needs directions'
  if ((columns.direction === undefined) !== (directions === 'sign'))
    return 'needs either columns.direction or directions: "sign"'
  const { format = 'iso' } = times
  const parts: string[] = format.match(/YYYY|MM|DD|HH|mm|ss/g) ?? []
  const isWhole = ['YYYY', 'MM', 'DD'].every((part) => parts.includes(part))
  if (format !== 'iso' && (!isWhole || new Set(parts).size < parts.length))
    return 'times.format must contain YYYY, MM and DD, and each part only once'
  const { decimal = '.', group } = amounts
  return group === decimal ? 'amounts.group and amounts.decimal must differ' : undefined
}

const refusal = (error: string) => argumentRefusal('mapping', error.trim())
