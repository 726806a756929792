import { fromMajorUnits } from '@pesewa/values'
import type { Mapping } from './mapping.ts'

// Parses the values of cells. Each function throws a RangeError that says what is wrong with the text.

const maxAmount = 9_007_199_254_740_991n

/**
 * Parses an amount. Returns it in minor units, and whether it is negative. Additional decimals are accepted if
 * they are zeros: `1 500.00` XOF is exact.
 */
export function readAmount(
  text: string,
  currency: string,
  { decimal = '.', group }: NonNullable<Mapping['amounts']> = {},
): { isNegative: boolean; amount: bigint } {
  // French uses a non-breaking space as the thousands separator.
  const plain = text.slice(0, 64).replace(/[\u00a0\u202f]/g, ' ')
  const [, sign = '', whole = '', fraction = ''] = amountForm(decimal, group).exec(plain) ?? []
  const digits = (group ? whole.replaceAll(group, '') : whole).replace(/^0+(?=\d)/, '')
  const decimals = fraction.replace(/0+$/, '')
  if (!digits || text.length > 64) throw new RangeError(`${shown(text)} is not an amount`)
  const amount = fromMajorUnits(decimals ? `${digits}.${decimals}` : digits, currency)
  if (amount === 0n || amount > maxAmount)
    throw new RangeError(`${shown(text)} is not between 1 and ${maxAmount}`)
  return { isNegative: sign === '-', amount }
}

function amountForm(decimal: string, group: string | undefined): RegExp {
  const [point, between] = [decimal, group].map((sign) => sign && `\\x${hex(sign)}`)
  const whole = between ? `\\d{1,3}(?:${between}\\d{3})+|\\d+` : '\\d+'
  return new RegExp(`^([+-]?)(${whole})(?:${point}(\\d+))?$`)
}

const hex = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0')

const isoForm =
  /^(?<YYYY>20\d\d)-(?<MM>\d\d)-(?<DD>\d\d)(?:[T ](?<HH>\d\d):(?<mm>\d\d)(?::(?<ss>\d\d)(?<fraction>\.\d{1,3})?)?(?<offset>Z|[+-]\d\d:\d\d)?)?$/

/** Parses a time. Missing parts are zero. A missing offset is taken from the mapping. */
export function readTime(
  text: string,
  { format = 'iso', offset = '+00:00' }: NonNullable<Mapping['times']> = {},
): Date {
  const parts = (format === 'iso' ? isoForm : timeForm(format)).exec(text)?.groups ?? {}
  const { YYYY, MM, DD, HH = '00', mm = '00', ss = '00', fraction = '' } = parts
  const at = new Date(`${YYYY}-${MM}-${DD}T${HH}:${mm}:${ss}${fraction}${parts.offset ?? offset}`)
  // Without this check, a day that does not exist in the month would become a day in the next month.
  const isDay = new Date(`${YYYY}-${MM}-${DD}T00:00Z`).getUTCDate() === Number(DD)
  if (Number.isNaN(at.getTime()) || !isDay)
    throw new RangeError(`${shown(text)} is not a time in the format ${format}`)
  return at
}

const partForms: Record<string, string> = { YYYY: '20\\d\\d' }

function timeForm(format: string): RegExp {
  const escaped = format.replace(/[^\w\s]/g, '\\$&')
  return new RegExp(
    `^${escaped.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => `(?<${part}>${partForms[part] ?? '\\d\\d'})`)}$`,
  )
}

/** Parses an identifier, which has 1 to 100 printable characters so that it is safe to show anywhere. */
export function readName(text: string): string {
  if (!isName(text)) throw new RangeError(`${shown(text)} must be 1 to 100 printable ASCII characters`)
  return text
}

export const isName = (text: string) => /^[\x20-\x7e]{1,100}$/.test(text)

/** Quotes text from a file so that it can be shown in a terminal: shortens it and escapes control characters. */
export const shown = (text: string) =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
