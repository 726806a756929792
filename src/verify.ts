import type { Check } from './ledger/checks.ts'
import { ledgerChecks } from './ledger/checks.ts'
import { paymentChecks } from './payments/checks.ts'
import type { Reader } from './platform/db/database.ts'

const checks: Check[] = [...ledgerChecks, ...paymentChecks]

export type Proof = { ok: boolean; checks: { name: string; examined: string; differences: object[] }[] }

/** Proves the books from the rows, all Spaces and both environments. Names the first differences of each check. */
export async function verifyBooks(db: Reader): Promise<Proof> {
  const results = []
  for (const check of checks) {
    const examined = await db.one<{ count: bigint }>(check.examined)
    const differences = await db.query<object>(check.differences)
    results.push({ name: check.name, examined: String(examined?.count ?? 0), differences })
  }
  return { ok: results.every(({ differences }) => differences.length === 0), checks: results }
}
