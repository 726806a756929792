/**
 * Returns the name that a misspelled one most likely means, or `undefined` if none of `names` is similar. Case
 * and separators do not count: `PaymentCompleted` is `payment.completed`.
 */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(plain(typed).length / 5))
  let nearest: { name: string; letters: number } | undefined
  for (const name of names) {
    const letters = editDistance(plain(typed), plain(name), limit)
    if (letters <= limit && letters < (nearest?.letters ?? Infinity)) nearest = { name, letters }
  }
  return nearest?.name
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9*]/g, '')

/**
 * Returns the Levenshtein distance between two texts: the smallest number of insertions, deletions and
 * substitutions that turn one into the other. If their lengths differ by more than `limit`, returns infinity.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1]
    for (const [place, other] of [...b].entries())
      next.push(
        Math.min(
          (next[place] ?? 0) + 1,
          (row[place + 1] ?? 0) + 1,
          (row[place] ?? 0) + (letter === other ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}
