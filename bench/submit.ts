import { randomUUID } from 'node:crypto'
import { post } from '../src/ledger/postings.ts'
import { newReference } from '../src/ledger/reference.ts'
import type { Scope } from '../src/platform/clock.ts'
import { once } from '../src/platform/http/idempotency.ts'
import type { Parts } from '../src/routes.ts'
import { accountId, amount, transferPath } from './transfer.ts'

/** Makes one transfer as the API does after its checks, without HTTP: `source` and `destination` are numbers. */
export async function submitInProcess(
  { db, clock }: Parts,
  scope: Scope,
  source: number,
  destination: number,
): Promise<void> {
  const [from, to] = [accountId(source), accountId(destination)]
  const body = { amount: { currency: 'SLE', value: amount }, source: from, destination: to }
  const keyed = { scope, key: randomUUID(), method: 'POST', path: transferPath, body }
  await once(db, keyed, async (tx) => {
    const at = clock.now(scope)
    const reference = newReference(at)
    const movements = [
      { accountId: from, amount: BigInt(-amount) },
      { accountId: to, amount: BigInt(amount) },
    ]
    await post(tx, scope, { reference, at, owners: [], movements })
    return JSON.stringify({ success: true, messages: [], result: { reference } })
  })
}
