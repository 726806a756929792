import { type Books, openMainAccounts, type Shop } from './books.ts'
import type { BenchDatabase } from './database.ts'

const codesAtOnce = 100_000

/** The ten digits of a code: those of neighbours lie far apart, as random ones do. */
export const codeNumber = (code: number) =>
  String((BigInt(code) * 7_654_321n + 1_234_567n) % 10_000_000_000n).padStart(10, '0')

/** Codes of each of many shops. */
const codesOfEach = 16

/** Codes by their place: `first` and so many on. */
export type Codes = { first: number; count: number }

/** Live payment codes of 15 000: `count` of one shop, and behind them some of each of the others. */
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
