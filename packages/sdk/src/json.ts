// Totals can be larger than a double can represent exactly. Engines with JSON source text access parse them
// exactly, as bigints.

const longNumber = /\d{16}/

export const parseJson = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text)

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source = '' } = context ?? {}
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}

/**
 * Serializes a value. Bigints become JSON numbers.
 *
 * @throws RangeError for a bigint outside the safe integer range; no valid amount is that large
 */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? exactNumber(each) : each))

function exactNumber(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is too large`)
  return number
}
