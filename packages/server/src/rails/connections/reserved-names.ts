import type { Catalogue } from './catalogue.ts'

/**
 * Returns a phrase, such as `must not resemble "Orange Money", the name of a provider`, if a name resembles
 * that of a provider; otherwise `undefined`. Payers trust a page that calls itself "Orange Money", so the
 * comparison ignores case, accents, spaces and punctuation, and treats look-alike digits and letters from other
 * alphabets as the letters they resemble.
 */
export function findNameIssue(catalogue: Pick<Catalogue, 'all'>, text: string): string | undefined {
  const words = wordsOf(text)
  const provider = catalogue.all().find(({ name }) => resembles(wordsOf(name).join(''), words))
  return provider && `must not resemble "${provider.name}", the name of a provider`
}

/**
 * Returns whether the words resemble a provider's name. Long names match anywhere and shorter ones only as
 * whole words. The shortest names are everyday words, so they match only if there are no other words.
 */
function resembles(look: string, words: string[]): boolean {
  if (look.length >= 8) return words.join('').includes(look)
  if (look.length <= 4) return words.join('') === look
  return words.some((_, from) => words.some((_, to) => words.slice(from, to + 1).join('') === look))
}

/** Splits a name into words and replaces all look-alikes of a letter with the same letter. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll(
      /./gsu,
      (letter) => looksLike.get(letter) ?? looksLike.get(letter.toLowerCase()) ?? letter.toLowerCase(),
    )
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('rn', 'm').replaceAll('vv', 'w'))

/**
 * Look-alikes of each Latin letter: digits, symbols, small capitals, Greek, Cyrillic and Armenian letters, and
 * letters with strokes.
 */
const lookalikes: Record<string, string> = {
  a: '4@\u0430\u03b1\u0251\u1d00\u0391',
  b: '8\u0432\u03b2\u044c\u0299\u0184\u0185\u0392',
  c: '\u0441\u03f2\u1d04\u00a2',
  d: '\u0501\u1d05\u0111',
  e: '3\u0435\u0454\u03b5\u1d07\u0395',
  f: '\ua730\u0192',
  g: '9\u0261\u0262\u0581',
  h: '\u043d\u04bb\u029c\u0397\u0570\u0127',
  j: '\u0458\u1d0a',
  k: '\u043a\u03ba\u1d0b\u039a',
  // The characters I, l and 1 look the same.
  l: '1iI|\u0456\u0457\u03b9\u0131\u026a\u04c0\u04cf\u029f\u0142\u0399\u2113\u0269',
  m: '\u043c\u1d0d\u039c\u03fb',
  n: '\u03b7\u0578\u057c\u0274\u039d\u043f\u0438',
  o: '0\u043e\u03bf\u0585\u1d0f\u00f8\u039f\u03c3\u0665',
  p: '\u0440\u03c1\u1d18\u03a1\u00fe',
  q: '\u051b',
  r: '\u0433\u0280',
  s: '5$\u0455\ua731\u0282',
  t: '7\u0442\u03c4\u1d1b\u03a4\u0167',
  u: '\u03c5\u057d\u1d1c\u03bc\u00b5',
  v: '\u03bd\u0475\u1d20',
  w: '\u03c9\u051d\u1d21\u0448',
  x: '\u0445\u03c7\u03a7\u00d7',
  y: '\u0443\u03b3\u028f\u04af\u03a5',
  z: '2\u1d22\u0396\u0290',
}
const looksLike = new Map(
  Object.entries(lookalikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
)
