/**
 * A number that may be shown: `+23276123456` becomes `+23276****56`. The first six characters and the last two
 * stay, and four stars stand for the rest; a short number shows fewer at its start, so that at least four digits
 * are always hidden.
 */
export function maskPhone(e164: string): string {
  const shownAtEnd = 2
  const shownAtStart = Math.min(6, e164.length - shownAtEnd - 4)
  return shownAtStart < 1 ? '****' : `${e164.slice(0, shownAtStart)}****${e164.slice(-shownAtEnd)}`
}

/** `0011223344` becomes `****3344`: at most the last four characters, and never fewer than four hidden. */
export function maskAccount(account: string): string {
  return `****${account.slice(account.length - Math.max(0, Math.min(4, account.length - 4)))}`
}

/** `Aminata Kamara` becomes `A****** K*****`: enough to see that it is whom one means, and of no use to others. */
export const maskName = (name: string) => name.split(' ').map(maskWord).join(' ')

function maskWord(word: string): string {
  const [first = '', ...rest] = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment)
  return rest.length > 0 ? first + '*'.repeat(rest.length) : '*'
}
