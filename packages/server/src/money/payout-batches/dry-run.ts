import { must, wholeNumber } from '@pesewa/values'
import { findMainAccount } from '../../ledger/accounts/accounts.ts'
import { selectBalances } from '../../ledger/accounts/store.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { findOtherNetwork } from '../../rails/providers/numbers.ts'
import { findFees, sumFees } from '../fees/fees.ts'
import type { PayoutParts } from '../payouts/payouts.ts'
import { checkRows, needsApproval, sumRows, type ValidRow } from './rows.ts'
import type { BatchToCheck, warningCodes } from './shapes.ts'
import { selectHistories } from './store.ts'

/**
 * Checks the given rows, and returns the totals of the batch together with the errors and warnings for each
 * row. Writes nothing and does not query the rail, since no provider would accept a thousand name look-ups.
 *
 * @throws Refusal `arguments_invalid` if the file cannot be read as rows
 */
export async function checkBatch(
  tx: Tx,
  parts: PayoutParts,
  { scope, body, userId, now: at, may }: Call<unknown, BatchToCheck>,
) {
  const issues = new Issues()
  const { rows, accountId } = await checkRows(tx, parts, scope, body, issues)
  issues.refuse()
  const sound = rows.flatMap((row) => row.valid ?? [])
  const warnings = await findWarnings(tx, parts, scope, sound, at)
  const totals = await findTotals(tx, scope, sound, accountId)
  return {
    ok: sound.length === rows.length,
    approvalRequired: await needsApproval(tx, scope, sound, { userId, at }),
    totals: totals.map(({ currency, count, amount, fees, available }) => {
      const money = (value: bigint) => ({ currency, value: wholeNumber(value) })
      return {
        rows: count,
        amount: money(amount),
        fees: money(fees),
        ...(may('balances:read') && { availableAfter: money(available - amount - fees) }),
      }
    }),
    rows: rows.map((row) => ({
      number: row.number,
      ok: row.valid !== undefined,
      faults: row.issues,
      warnings: warnings.get(row.number) ?? [],
    })),
  }
}

/** Returns, for each currency, the sum of the rows, their fees, and the available balance of the paying account. */
async function findTotals(tx: Tx, scope: Scope, sound: ValidRow[], accountId: string | undefined) {
  const charged = await findFees(
    tx,
    sound.map((row) => ({ ...row, scope })),
    'payout',
  )
  const feesOf = (currency: string) =>
    sumFees(sound.flatMap((row, i) => (row.currency === currency ? must(charged[i], 'fees of a row') : [])))
  const totals = []
  for (const total of sumRows(sound)) {
    // An account that has never been opened is empty.
    const paying = accountId ?? (await findMainAccount(tx, scope, total.currency))
    const balance = paying && (await selectBalances(tx, scope, [paying])).get(paying)
    const available = balance ? balance.posted - balance.held : 0n
    totals.push({ ...total, fees: feesOf(total.currency), available })
  }
  return totals
}

type RowWarning = { code: (typeof warningCodes)[number]; message: string }

const recentMs = durationMs('7d') // maximum age of a payout that counts as a recent duplicate
/** Returns warnings about rows that can nevertheless be paid. The map's keys are the row numbers. */
async function findWarnings(
  db: Reader,
  parts: PayoutParts,
  scope: Scope,
  rows: ValidRow[],
  at: Date,
): Promise<Map<number, RowWarning[]>> {
  const payees = rows.map(({ number, amount, currency, payee }) => ({
    ...{ scope, number, amount, currency },
    account: payee.account,
    providerId: payee.providerId,
  }))
  const histories = await selectHistories(db, payees, new Date(at.getTime() - recentMs))
  const firstOf = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      const first = firstOf.get(duplicateKey(row))
      if (first === undefined) firstOf.set(duplicateKey(row), row.number)
      const history = histories.get(row.number)
      const warnings = [
        first !== undefined &&
          warning('duplicate_in_file', `Row ${first} pays the same amount to the same payee.`),
        history?.isRecent &&
          warning('duplicate_recent', 'The same amount was paid to this payee within the last 7 days.'),
        !history?.isKnown && warning('first_time_payee', 'No payout to this payee has ever completed.'),
        networkWarning(parts, row),
      ]
      return [row.number, warnings.filter((one) => typeof one === 'object')]
    }),
  )
}

const warning = (code: RowWarning['code'], message: string): RowWarning => ({ code, message })

const duplicateKey = ({ payee, currency, amount }: ValidRow) =>
  [payee.type, payee.providerId, payee.account, currency, amount].join(' ')

/**
 * Returns a warning if a phone number seems to belong to another network. Only the first digits are considered,
 * so the warning may be wrong: numbers can be moved between networks. In countries where they cannot, a
 * mismatch is an error.
 */
function networkWarning({ catalogue }: PayoutParts, { payee }: ValidRow): RowWarning | undefined {
  const provider = payee.type === 'momo' ? catalogue.find(payee.providerId) : undefined
  const network = provider && findOtherNetwork(provider, payee.account)
  return network && warning('network_mismatch', `This looks like a ${network.name} number.`)
}
