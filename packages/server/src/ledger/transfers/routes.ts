import type { Static } from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Call, Page, Route } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import { accountInQuery } from '../accounts/accounts.ts'
import { createCurrencyCache } from '../accounts/currencies.ts'
import { createTransfers, type NewTransfer, prepareTransfers, validateTransfer } from './new-transfer.ts'
import { transferIds } from './resources.ts'
import { internalTransfer, newInternalTransfer, transferChange, transferFilters } from './shapes.ts'
import { selectTransfers, shareTransfers } from './store.ts'
import { cancelTransfer, changeTransfer, presentTransfer } from './transfers.ts'

type Body = Static<typeof newInternalTransfer>

const requestOf = ({ scope, body, now }: Call<unknown, Body>): Scoped<NewTransfer> => ({
  scope,
  amount: body.amount,
  sourceAccount: body.sourceFinancialAccount.id,
  destinationAccount: body.destinationFinancialAccount.id,
  description: body.description,
  executeTime: body.executeTime,
  metadata: body.metadata,
  at: now,
})

export function transferRoutes({ db }: Platform): Route[] {
  const currencies = createCurrencyCache()
  const transfers = resource({
    url: '/v1/internal-transfers',
    permission: 'internal-transfers',
    idKind: transferIds,
    result: internalTransfer,
    find: shareTransfers(db),
    present: (row, { scope }) => presentTransfer(scope, row),
  })
  return [
    transfers.createEach({
      summary: 'Create an internal transfer',
      about: 'Moves money between two of your accounts.',
      reasons: ['state_conflict'],
      body: newInternalTransfer,
      example: {
        amount: { currency: 'SLE', value: 1500 },
        sourceFinancialAccount: { id: 'fac-01kaj3v5w8e4r9tbn2m6c7d0xz' },
        destinationFinancialAccount: { id: 'fac-01kaj3v5w8e4r9tbn2m6c7d0y0' },
        description: 'November rent',
      },
      rules: [
        {
          about: ['amount.currency', 'sourceFinancialAccount.id', 'destinationFinancialAccount.id'],
          says: 'Source and destination must be two different accounts of the Space in the currency of `amount`.',
        },
        { about: ['executeTime'], says: '`executeTime` must be in the future and at most 366 days ahead.' },
      ],
      validate: (db, { scope, body, now }, issues) => {
        const { amount, sourceFinancialAccount, destinationFinancialAccount, executeTime } = body
        const sourceAccount = sourceFinancialAccount?.id
        const destinationAccount = destinationFinancialAccount?.id
        const transfer = { scope, amount, sourceAccount, destinationAccount, executeTime, at: now }
        return validateTransfer(db, currencies, transfer, issues)
      },
      writeEach: (tx, calls) => createTransfers(tx, currencies, calls.map(requestOf)),
      prepareNew: (calls) => prepareTransfers(db, currencies, calls.map(requestOf)),
    }),
    transfers.list({
      summary: 'List internal transfers',
      query: transferFilters,
      list: (call, page) => listTransfers(db, call, page),
    }),
    transfers.read({ summary: 'Retrieve an internal transfer' }),
    transfers.change({
      summary: 'Update an internal transfer',
      body: transferChange,
      example: { description: 'November rent, corrected' },
      write: (tx, { scope, id, body, now }) => changeTransfer(tx, scope, id, body, now),
    }),
    transfers.remove({
      summary: 'Cancel an internal transfer',
      about: 'Only while it is pending.',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => cancelTransfer(tx, scope, id, now),
    }),
  ]
}

async function listTransfers(
  db: Database,
  { scope, query }: Call<Static<typeof transferFilters>>,
  page: Page,
) {
  const accountNamed = (param: 'sourceFinancialAccountId' | 'destinationFinancialAccountId') => {
    const text = query[param]
    return text && accountInQuery(db, scope, param, text)
  }
  const sourceAccountId = await accountNamed('sourceFinancialAccountId')
  const destinationAccountId = await accountNamed('destinationFinancialAccountId')
  const { q, status, financialTransactionReference: ledgerReference } = query
  const filter = { q, status, sourceAccountId, destinationAccountId, ledgerReference }
  return selectTransfers(db, scope, filter, page)
}
