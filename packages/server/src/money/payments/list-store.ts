import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  containsText,
  equals,
  type Filter,
  type FilterOf,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { countIn } from '../../rails/instructions/transaction-counts.ts'
import {
  type PhoneColumns,
  phoneIn,
  type ScopedPhone,
  transactionFilters,
  transactionSearch,
} from '../../rails/instructions/transaction-filters.ts'
import type { TransactionFilter } from '../../rails/instructions/transaction-shapes.ts'
import { paymentIds } from './resources.ts'
import { type Payment, payments } from './store.ts'

export type PaymentFilter = TransactionFilter &
  FilterOf<Payment, 'orderNumber' | 'ledgerReference'> & {
    accountId?: string | undefined
    /** Text that must occur in the name or the reference. */
    text?: string | undefined
  }

const payer: PhoneColumns = { account: sql`payer_account`, isPhone: sql`channel_type = 'momo'` }

/**
 * Selects a page of payments. Without a payment that has the identifier `q`, text with a letter is searched in
 * names and references, unless `names` is false.
 */
export async function selectPayments(
  db: Database,
  scope: Scope,
  filter: PaymentFilter,
  page: Page,
  { names = true }: { names?: boolean } = {},
) {
  const { q, text, orderNumber, ledgerReference, accountId } = filter
  const ofAccount = equals(sql`financial_account_id`, sql`uuid`, accountId, { leadsTo: 'many' })
  const phone = await phoneIn(db, scope, q)
  const byIdentifier = nameFilter(q, (text) => searchConditions(text, phone))
  const isName = names && q !== undefined && mayBeName(q) && !(await hasMatch(db, scope, byIdentifier))
  return selectFiltered(db, payments, scope, page, [
    ...(isName ? [containsText(q, nameColumns)] : [byIdentifier]),
    equals(sql`ledger_reference`, sql`text`, ledgerReference, { leadsTo: 'few' }),
    equals(sql`order_number`, sql`text`, orderNumber, { leadsTo: 'few' }),
    ...transactionFilters(scope, filter, payer, ofAccount),
    containsText(text, nameColumns),
  ])
}

export const countPayments = countIn(payments)

/** The columns in which text is searched. */
const nameColumns = [sql`name`, sql`reference`]

/** Returns whether a text may be part of a name, and not only an identifier. */
const mayBeName = (q: string) => q.length > 1 && /\p{L}/u.test(q) && !readObjectId(q)

/** Returns whether a filter matches any payment at all, so that all pages of a list agree on it. */
const hasMatch = async (db: Database, scope: Scope, filter: Filter) =>
  (await selectFiltered(db, payments, scope, { take: 1, after: undefined }, [filter])).rows.length > 0

/**
 * Returns conditions that match `q` as an external reference, or as the id of the payment, of its session or
 * code, or of its account.
 */
function searchConditions(q: string, phone: ScopedPhone | undefined): Names {
  const { few, many } = transactionSearch(q, phone, payer)
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
