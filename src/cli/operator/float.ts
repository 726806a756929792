import type { RailBalance } from '@pesewa/connector-kit'
import { wholeNumber } from '@pesewa/values'
import { type ConnectionFloat, readFloat } from '../../finance/settlements/float.ts'
import { withDatabase } from './command-database.ts'
import { withRails } from './connection-test.ts'

/** `pesewa float`: returns our balances at the rails and in the books, in minor units. */
export const showFloat = () =>
  withRails((providers) =>
    withDatabase(async (db) => ({
      float: (await readFloat(db, providers)).flatMap(({ connection, rail, books }) => [
        ...atRail(connection, rail),
        ...books.map((balance) => shown(connection, 'books', balance)),
      ]),
    })),
  )

function atRail(connection: string, rail: ConnectionFloat['rail']): object[] {
  if (rail && !('outcome' in rail)) return rail.map((balance) => shown(connection, 'rail', balance))
  const why = rail?.why ?? 'not reported by this rail'
  return [{ connection, where: 'rail', account: null, amount: null, why }]
}

const shown = (connection: string, where: 'rail' | 'books', { name, currency, amount }: RailBalance) => ({
  connection,
  where,
  account: name,
  amount: { currency, value: wholeNumber(amount) },
})
