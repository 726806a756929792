/** Matches numbers that are long enough to lose precision as a double. */
const longNumber = /\d{16}/

/**
 * Parses JSON from the API. Integers outside the safe range become bigints. Browsers that do not support JSON
 * source text access round them instead. Callers can detect this, because a rounded value is not a safe
 * integer.
 */
export function parseJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source = '' } = context ?? {}
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}
