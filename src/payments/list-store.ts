import { movedFiltersOf, movedNames } from '../instructions/moved-filters.ts'
import type { MovedFilter } from '../instructions/moved-shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Database } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { equals, type Names, named, selectFiltered } from '../platform/http/filters.ts'
import type { Page } from '../platform/http/route.ts'
import { readObjectId } from '../platform/resources.ts'
import type { Scope } from '../platform/scope.ts'
import { paymentIds } from './resources.ts'
import { payments } from './store.ts'

export type PaymentFilter = MovedFilter & {
  orderNumber?: string | undefined
  ledgerReference?: string | undefined
  accountId?: string | undefined
}

export function selectPayments(db: Database, scope: Scope, filter: PaymentFilter, page: Page) {
  const { q, orderNumber, ledgerReference, accountId } = filter
  const ofAccount = equals(sql`financial_account_id`, sql`uuid`, accountId, { leadsTo: 'many' })
  const payer = { account: sql`payer_account`, isPhone: sql`channel_type = 'momo'` }
  return selectFiltered(db, {
    rows: sql`
      select ${payments.columns} from payments
      where space_id = ${scope.spaceId} and environment = ${scope.environment}`,
    filters: [
      named(sql`payments`, scope, page, q === undefined ? undefined : namesOf(q)),
      equals(sql`ledger_reference`, sql`text`, ledgerReference, { leadsTo: 'few' }),
      equals(sql`order_number`, sql`text`, orderNumber, { leadsTo: 'few' }),
      ...movedFiltersOf(filter, payer, ofAccount),
    ],
    page,
  })
}

/** What others call a payment; the payment itself, what was paid, or the account. */
function namesOf(q: string): Names {
  const { few, many } = movedNames(q)
  return {
    few: [sql`order_number = ${q}`, ...few],
    many: [sql`reference = ${q}`, ...objectsOf(q), ...many],
  }
}

function objectsOf(q: string): Sql[] {
  const object = readObjectId(q)
  if (!object) return []
  if (object.ids === paymentIds) return [sql`id = ${object.id}`]
  return [
    object.ids === accountIds ? sql`financial_account_id = ${object.id}` : sql`origin_id = ${object.id}`,
  ]
}
