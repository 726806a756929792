import { mainAccount } from '../src/ledger/accounts.ts'
import type { Scope } from '../src/platform/clock.ts'
import { type Books, withDatabase } from './books.ts'
import type { BenchDatabase } from './database.ts'

const codesAtOnce = 100_000

/** The ten digits of a code: those of neighbours lie far apart, as random ones do. */
export const codeNumber = (code: number) =>
  String((BigInt(code) * 7_654_321n + 1_234_567n) % 10_000_000_000n).padStart(10, '0')

/** Live payment codes of 15 000 in the test environment, `codeNumber(0)` and on. */
export async function openCodes(database: BenchDatabase, { scope }: Books, count: number): Promise<void> {
  const { client } = database
  const test: Scope = { ...scope, environment: 'test' }
  const account = await withDatabase(database, (db) =>
    db.transaction((tx) => mainAccount(tx, test, 'SLE', new Date())),
  )
  for (let first = 0; first < count; first += codesAtOnce)
    await client.query('select bench.open_codes($1, $2, $3, $4, $5)', [
      test.spaceId,
      test.environment,
      account,
      first,
      Math.min(first + codesAtOnce, count) - 1,
    ])
  await client.query('vacuum analyze payment_codes, payment_code_numbers')
}
