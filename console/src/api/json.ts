/** Only such numbers can lose something on their way into a double. */
const longNumber = /\d{16}/

/**
 * JSON as the API writes it: sums can be more than a double holds, and then are bigints. A browser that does not hand over
 * what a number was written as leaves it rounded; whatever shows it can see that, as no such number is safe.
 */
export function parseJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source = '' } = context ?? {}
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}
