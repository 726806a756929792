// Sums of money can be more than a double holds. Engines that say what a number was written as read them exactly, as bigints.

const longNumber = /\d{16}/

export const parseJson = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text)

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source = '' } = context ?? {}
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}

/** @throws RangeError for a bigint that no double holds: no amount that is sent is that large */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? exactNumber(each) : each))

function exactNumber(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is too large`)
  return number
}
