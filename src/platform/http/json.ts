import { Refusal } from '../refusals.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
// Only such numbers can lose something on their way into a double.
const riskyNumber = /\d[.eE]|\d{16}/

/**
 * Parses a body. A number that a double cannot hold exactly although it looks like an integer (9007199254740993,
 * 1.00000000000000000001) becomes NaN, which validation refuses: nothing may round an amount before it is checked.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    const text = utf8.decode(body)
    return riskyNumber.test(text) ? JSON.parse(text, refuseRounding as typeof keep) : JSON.parse(text)
  } catch {
    throw new Refusal('json_invalid')
  }
}

const keep = (_key: string, value: unknown) => value

function refuseRounding(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value
  if (!Number.isFinite(value)) return Number.NaN
  return Number.isInteger(value) && !isExactly(source, value) ? Number.NaN : value
}

const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const maxExponent = 400

/** Whether the decimal text `source` is exactly the integer `value`. */
function isExactly(source: string, value: number): boolean {
  const [, sign, whole, fraction = '', exponentText = '0'] = numberForm.exec(source)!
  const exponent = Number(exponentText) - fraction.length
  const digits = BigInt(`${whole}${fraction}`)
  if (digits === 0n) return value === 0
  if (Math.abs(exponent) > maxExponent + fraction.length) return false
  const scale = 10n ** BigInt(Math.abs(exponent))
  if (exponent < 0 && digits % scale !== 0n) return false
  const magnitude = exponent < 0 ? digits / scale : digits * scale
  return BigInt(value) === (sign ? -magnitude : magnitude)
}

/** JSON with sorted keys: two bodies that mean the same are the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`
}

/** A whole number in an answer, exact whatever its size. */
export function wholeNumber(value: bigint): number {
  const rawJson = (JSON as unknown as { rawJSON(text: string): number }).rawJSON
  return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER
    ? rawJson(String(value))
    : Number(value)
}

/** JSON that is to be answered as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The JSON of an answer, or of an entry of a list. */
export const jsonOf = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value)
