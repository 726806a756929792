/** Returns a phone number without the plus sign, as rails write it. */
export const msisdnOf = (account: string) => account.replace('+', '')

/**
 * Returns a description in plain characters, for rails that refuse others: accents are removed, and all other
 * characters are replaced with spaces.
 *
 * @param refused what the rail refuses; by default, all but letters, digits and simple punctuation
 */
export const plainTextOf = (description: string, maxLength: number, refused = /[^A-Za-z0-9.,:-]+/g) =>
  description.normalize('NFKD').replace(/\p{M}/gu, '').replace(refused, ' ').trim().slice(0, maxLength).trim()
