import type { Reader } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import type { Scope } from '../../platform/scope.ts'
import { findOtherNetwork } from '../../rails/providers/numbers.ts'
import type { PayoutParts } from '../payouts/payouts.ts'
import type { ValidRow } from './rows.ts'
import type { warningCodes } from './shapes.ts'
import { selectHistories } from './store.ts'

export type RowWarning = { code: (typeof warningCodes)[number]; message: string }

const recentMs = durationMs('7d') // maximum age of a payout that counts as a recent duplicate
/** Returns warnings about rows that can nevertheless be paid. The map's keys are the row numbers. */
export async function findWarnings(
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
