import type { RailBalance, UnknownOutcome } from '@pesewa/connector-kit'
import { wholeNumber } from '@pesewa/values'
import type { Database, Reader } from '../../platform/db/database.ts'
import type { Platform } from '../../platform/platform.ts'
import { repeat, type StopRepeating } from '../../platform/repeat.ts'
import { providersOf } from '../../rails/connections/connections.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { bookedBalances, railBalances } from './metrics.ts'
import { selectAtProviders, writeFloats } from './store.ts'

const floatQueryEveryMs = 300_000 // how often a node fetches our balances from rails

/** Our balances at one rail, and the balances that the books show for the providers reached through that rail. */
export type ConnectionFloat = {
  connection: string
  /** `undefined` if the rail does not report balances. */
  rail: RailBalance[] | UnknownOutcome | undefined
  books: RailBalance[]
}

/**
 * Returns the balances of every live connection. In `books`, the name of an account consists of the provider
 * and the direction.
 */
export async function readFloat(
  db: Reader,
  { catalogue, connectors }: Pick<Providers, 'catalogue' | 'connectors'>,
): Promise<ConnectionFloat[]> {
  const booked = await selectAtProviders(db)
  return Promise.all(
    catalogue.connections().map(async (connection) => {
      const providerIds = providersOf(connection)
      const [first = ''] = providerIds
      return {
        connection: connection.name,
        rail: await connectors.findConnector(first, 'live', connection.name)?.balances?.(),
        books: booked
          .filter(({ providerId }) => providerIds.includes(providerId))
          .map(({ providerId, direction, currency, amount }) => ({
            name: `${providerId} ${direction}`,
            currency,
            amount,
          })),
      }
    }),
  )
}

/** Stores the balances at regular intervals and exposes them as metrics. */
export const startFloatWatch = (
  { db, log, metrics }: Pick<Platform, 'log' | 'metrics'> & { db: Database },
  providers: Providers,
): StopRepeating =>
  repeat(floatQueryEveryMs, log, async () => {
    const floats = await readFloat(db, providers)
    await db.transaction((tx) => writeFloats(tx, floats.flatMap(rowsOf)))
    // A balance that the rail no longer reports must not keep its last value.
    railBalances(metrics).reset()
    bookedBalances(metrics).reset()
    for (const { connection, rail = [], books } of floats) {
      if ('outcome' in rail)
        log.warn({ connection, why: rail.why }, 'failed to fetch our balance from a rail')
      else for (const balance of rail) show(railBalances(metrics), connection, balance)
      for (const balance of books) show(bookedBalances(metrics), connection, balance)
    }
  })

/** Returns the rows to store for a connection, without duplicates, because a rail may list an account twice. */
function rowsOf({ connection, rail = [], books }: ConnectionFloat) {
  const row = (side: 'rail' | 'books', { name: account, currency, amount }: RailBalance) => ({
    connection,
    side,
    account,
    currency,
    amount,
  })
  const named = [
    ...('outcome' in rail ? [] : rail.map((balance) => row('rail', balance))),
    ...books.map((balance) => row('books', balance)),
  ]
  return [...new Map(named.map((one) => [`${one.side} ${one.account} ${one.currency}`, one])).values()]
}

/** Sets a gauge to a balance, unless a double cannot represent the balance exactly. */
function show(gauge: ReturnType<typeof railBalances>, connection: string, balance: RailBalance): void {
  const value = wholeNumber(balance.amount)
  const { name: account, currency } = balance
  if (Number.isSafeInteger(value)) gauge.set({ connection, account, currency }, value)
}
