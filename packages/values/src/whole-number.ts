declare global {
  interface JSON {
    /** Returns a raw value that `stringify` writes verbatim. The method is missing from TypeScript's types. */
    rawJSON(text: string): number
  }
}

/** Converts an integer to the form used in API responses, which is exact at any size. */
export function wholeNumber(value: bigint): number {
  return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER
    ? JSON.rawJSON(String(value))
    : Number(value)
}
