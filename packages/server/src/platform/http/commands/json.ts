import { hasFields, must } from '@pesewa/values'
import { Refusal } from '../../refusals.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
// Only numbers of this form can lose precision when they are converted to a double.
const riskyNumber = /\d[.eE]|\d{16}/

/**
 * Parses a body. A number that a double cannot represent exactly (9007199254740993, 1.00000000000000000001,
 * 1e400) becomes NaN, which validation refuses. This ensures that no amount is rounded before it is checked.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    const text = utf8.decode(body)
    return riskyNumber.test(text) ? JSON.parse(text, refuseChange) : JSON.parse(text)
  } catch {
    throw new Refusal('json_invalid')
  }
}

/** Parses JSON with JavaScript's usual rounding, for input that is untrusted or contains no amounts of money. */
export function parsePlainJson(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw new Refusal('json_invalid')
  }
}

function refuseChange(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined) return value
  return Number.isFinite(value) && decimalOf(source) === decimalOf(String(value)) ? value : Number.NaN
}

const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Converts a number to a canonical form: its digits without leading and trailing zeros, and an exponent. */
function decimalOf(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = must(
    numberForm.exec(text),
    'match for a JSON number',
  )
  const digits = `${whole}${fraction}`
  let [start, end] = [0, digits.length]
  while (digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return '0'
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/** Returns JSON with sorted keys, so that equivalent bodies have the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!hasFields(value)) return JSON.stringify(value) ?? 'null'
  let text = ''
  for (const key of Object.keys(value).sort())
    if (value[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonicalJson(value[key])}`
  return `{${text}}`
}

/**
 * Parses JSON that we wrote ourselves, so that serializing it again yields the same text. Whole numbers that
 * are too large for a double stay exact.
 */
export const exactJson = (text: string): unknown =>
  /\d{16}/.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text)

function keepExact(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isInexact = typeof value === 'number' && source !== undefined && String(value) !== source
  return isInexact ? JSON.rawJSON(source) : value
}
