/**
 * Masks a phone number: `+23276123456` becomes `+23276****56`. Up to six leading and two trailing characters
 * are kept around four asterisks. For short numbers, fewer leading characters are kept, so that at least four
 * digits are always hidden.
 */
export function maskPhone(e164: string): string {
  const shownAtEnd = 2
  const shownAtStart = Math.min(6, e164.length - shownAtEnd - 4)
  return shownAtStart < 1 ? '****' : `${e164.slice(0, shownAtStart)}****${e164.slice(-shownAtEnd)}`
}

/**
 * Masks an account number: `0011223344` becomes `****3344`. At most the last four characters are kept, and at
 * least four are hidden.
 */
export function maskAccount(account: string): string {
  return `****${account.slice(account.length - Math.max(0, Math.min(4, account.length - 4)))}`
}

/**
 * Masks a name: `Aminata Kamara` becomes `A****** K*****`. This is enough to recognize a person you know, but
 * reveals little to others.
 */
export const maskName = (name: string) => name.split(' ').map(maskWord).join(' ')

function maskWord(word: string): string {
  const [first = '', ...rest] = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment)
  return rest.length > 0 ? first + '*'.repeat(rest.length) : '*'
}
