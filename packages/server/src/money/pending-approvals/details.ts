import type { Static } from 'typebox'
import { findMainAccount } from '../../ledger/accounts/accounts.ts'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { selectBalances } from '../../ledger/accounts/store.ts'
import type { Database } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { selectUser } from '../../tenants/spaces/store.ts'
import { findFees, sumFees } from '../fees/fees.ts'
import { type Batch, type BatchRow, selectHistories, selectRows } from '../payout-batches/store.ts'
import type { Payout } from '../payouts/store.ts'
import type { Refund } from '../refunds/store.ts'
import { type Earlier, maxEarlier, selectEarlierPayouts, selectEarlierRefunds } from './store.ts'

type Details = Static<typeof import('./shapes.ts').approvalDetails>

/** The amount that an approval debits from an account, in minor units. */
type Debit = { accountId: string | undefined; currency: string; amount: bigint }

export async function detailsOfPayout(db: Database, scope: Scope, payout: Payout): Promise<Details> {
  const { currency, financialAccountId: accountId, metadata } = payout
  return {
    requester: await requesterOf(db, payout.createdBy),
    reason: typeof metadata.note === 'string' ? metadata.note : null,
    earlier: present(await selectEarlierPayouts(db, scope, payout)),
    newPayees: null,
    // The amount and the fees are held already.
    balances: await balancesAfter(db, scope, [{ accountId, currency, amount: 0n }]),
  }
}

export async function detailsOfRefund(db: Database, scope: Scope, refund: Refund): Promise<Details> {
  const { currency, financialAccountId: accountId, holdId, net, fees } = refund
  const phoneNumber = refund.destinationType === 'momo' ? refund.payerAccount : null
  const amount = holdId === null ? net + sumFees(fees) : 0n
  return {
    requester: await requesterOf(db, refund.createdBy),
    reason: refund.note,
    earlier: present(await selectEarlierRefunds(db, scope, { paymentId: refund.paymentId, phoneNumber })),
    newPayees: null,
    balances: await balancesAfter(db, scope, [{ accountId, currency, amount }]),
  }
}

export async function detailsOfBatch(db: Database, scope: Scope, batch: Batch): Promise<Details> {
  const rows = await selectRows(db, scope, batch.id)
  const payees = rows.map(({ number, amount, currency, payeeAccount: account, providerId }) => ({
    ...{ scope, number, amount, currency, account, providerId },
  }))
  const histories = await selectHistories(db, payees, batch.createdAt)
  return {
    requester: await requesterOf(db, batch.createdBy),
    reason: batch.name,
    earlier: null,
    newPayees: rows.filter(({ number }) => !histories.get(number)?.isKnown).length,
    balances: await balancesAfter(db, scope, await debitsOf(db, scope, batch, rows)),
  }
}

/** Returns the sum of the rows and their fees in each currency. Nothing is held for a batch before its approval. */
async function debitsOf(db: Database, scope: Scope, batch: Batch, rows: BatchRow[]): Promise<Debit[]> {
  const fees = await findFees(
    db,
    rows.map((row) => ({ ...row, scope })),
    'payout',
  )
  const costs = rows.map(({ currency, amount }, i) => ({ currency, amount: amount + sumFees(fees[i] ?? []) }))
  const debits: Debit[] = []
  for (const [currency, ofCurrency] of Map.groupBy(costs, (cost) => cost.currency)) {
    const accountId = batch.financialAccountId ?? (await findMainAccount(db, scope, currency))
    debits.push({ accountId, currency, amount: ofCurrency.reduce((sum, cost) => sum + cost.amount, 0n) })
  }
  return debits
}

async function balancesAfter(db: Database, scope: Scope, debits: Debit[]): Promise<Details['balances']> {
  const ids = debits.flatMap(({ accountId }) => accountId ?? [])
  const balances = await selectBalances(db, scope, ids)
  return debits.map(({ accountId, currency, amount }) => {
    const money = moneyIn(currency)
    // An account that has never been opened is empty.
    const { posted, held } = balances.get(accountId ?? '') ?? { posted: 0n, held: 0n }
    return {
      financialAccountId: accountId ? showId(accountIds, accountId) : null,
      available: money(posted - held),
      availableAfter: money(posted - held - amount),
    }
  })
}

async function requesterOf(db: Database, userId: string | null): Promise<Details['requester']> {
  const user = userId ? await selectUser(db, userId) : undefined
  return user ? { userId: showId(userIds, user.id), email: user.email } : null
}

const present = ({ count, lastAmount, lastCurrency, lastAt }: Earlier) => ({
  count,
  isMore: count === maxEarlier,
  lastAmount: lastAmount !== null && lastCurrency !== null ? moneyIn(lastCurrency)(lastAmount) : null,
  lastTime: lastAt?.toISOString() ?? null,
})
