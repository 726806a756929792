import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  equals,
  type Filter,
  type FilterOf,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import {
  type PhoneColumns,
  phoneIn,
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

export async function selectPayments(db: Database, scope: Scope, filter: PaymentFilter, page: Page) {
  const { q, text, orderNumber, ledgerReference, accountId } = filter
  const ofAccount = equals(sql`financial_account_id`, sql`uuid`, accountId, { leadsTo: 'many' })
  const phone = await phoneIn(db, scope, q)
  return selectFiltered(db, payments, scope, page, [
    nameFilter(q, (text) => searchConditions(text, phone)),
    equals(sql`ledger_reference`, sql`text`, ledgerReference, { leadsTo: 'few' }),
    equals(sql`order_number`, sql`text`, orderNumber, { leadsTo: 'few' }),
    ...transactionFilters(filter, payer, ofAccount),
    textFilter(text),
  ])
}

/**
 * Returns conditions that match `q` as an external reference, or as the id of the payment, of its session or
 * code, or of its account.
 */
function searchConditions(q: string, phone: string | undefined): Names {
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

/**
 * Matches rows whose name or reference contains a text. No index is used. A text index would cost one more
 * write for each payment, and only people, not programs, search by text, mostly for recent payments.
 */
function textFilter(text: string | undefined): Filter {
  const pattern = text === undefined ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const wanted = folded(sql`${pattern}::text`)
  const has = (column: Sql) => sql`${folded(column)} like ${wanted}`
  return {
    isUsed: text !== undefined,
    fits: sql`(${pattern}::text is null or ${has(sql`name`)} or ${has(sql`reference`)})`,
  }
}

/** Removes case and accents, which people often omit when they search. */
const folded = (text: Sql): Sql =>
  sql`translate(lower(${text}), 'àâäáãçéèêëíîïìñóôöòõúûüùÿ', 'aaaaaceeeeiiiinooooouuuuy')`
