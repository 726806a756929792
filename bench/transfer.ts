import { accountIds } from '../packages/server/src/ledger/accounts/resources.ts'
import { showId } from '../packages/server/src/platform/ids.ts'

/** The benchmarked operation: an internal transfer of 100 minor units. */
export const amount = 100

/**
 * `hot`: every transfer has account 0 on one side. `spread`: every transfer is between two random accounts
 * other than account 0. `Spaces`: like `spread`, but the accounts are divided among many Spaces.
 */
export type Target = 'spread' | 'hot' | 'Spaces'

/** Returns the id of an account by number: 0 is the hot one, the others are 1 to `accounts`. */
export const accountId = (number: number) =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/**
 * Returns source and destination. The hot account pays as often as it receives, so that its balance is checked,
 * too.
 */
export function chooseAccounts(target: Target, accounts: number): [number, number] {
  const one = 1 + Math.floor(Math.random() * accounts)
  if (target === 'hot') return Math.random() < 0.5 ? [0, one] : [one, 0]
  const other = 1 + ((one + Math.floor(Math.random() * (accounts - 1))) % accounts)
  return [one, other]
}

export const transferPath = '/v1/internal-transfers'

/**
 * Returns the ids of the accounts as the API shows them. Called only once, because computing them costs more
 * than sending the request.
 */
export const shownAccountIds = (accounts: number) =>
  Array.from({ length: accounts + 1 }, (_, number) => showId(accountIds, accountId(number)))

export const wantedTransfer = (source: string, destination: string) => ({
  amount: { currency: 'SLE', value: amount },
  sourceFinancialAccount: { id: source },
  destinationFinancialAccount: { id: destination },
  description: 'One of many',
  metadata: { order: '42' },
})

/** Content of the response to a completed transfer. */
export const completedTransfer = '"status":"completed"'
