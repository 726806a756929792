import { type Books, openMainAccounts, type Shop } from './books.ts'
import type { BenchDatabase } from './database.ts'

const codesAtOnce = 100_000

/** Returns a ten-digit code. Consecutive numbers give codes that are far apart, like random ones. */
export const codeNumber = (code: number) =>
  String((BigInt(code) * 7_654_321n + 1_234_567n) % 10_000_000_000n).padStart(10, '0')

/** Number of codes per shop, if there are many shops. */
const codesOfEach = 16

/** A range of codes by number, starting at `first`. */
export type Codes = { first: number; count: number }

/**
 * Creates active payment codes, each for 15,000 minor units. One shop gets `count` codes, and each of the other
 * shops gets a few.
 */
export async function openCodes(
  database: BenchDatabase,
  { shops, ...shop }: Books,
  count: number,
): Promise<{ ofOne: Codes; ofMany: Codes }> {
  const { client } = database
  const open = ({ scope }: Shop, account: string, first: number, end: number) =>
    client.query('select bench.open_codes($1, $2, $3, $4, $5)', [
      ...[scope.spaceId, scope.environment, account],
      ...[first, end - 1],
    ])
  const [main, ...mains] = await openMainAccounts(database, [shop, ...shops])
  for (let first = 0; first < count; first += codesAtOnce)
    await open(shop, main!, first, Math.min(first + codesAtOnce, count))
  for (const [i, other] of shops.entries())
    await open(other, mains[i]!, count + i * codesOfEach, count + (i + 1) * codesOfEach)
  await client.query('vacuum analyze payment_codes, payment_code_numbers')
  return { ofOne: { first: 0, count }, ofMany: { first: count, count: shops.length * codesOfEach } }
}
