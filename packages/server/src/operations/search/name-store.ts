import type { FinancialAccount } from '../../ledger/accounts/store.ts'
import type { Payout } from '../../money/payouts/store.ts'
import { walkBounded } from '../../platform/db/bounded-walk.ts'
import type { Database } from '../../platform/db/database.ts'
import { hasWords } from '../../platform/db/encryption.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { containsText, containsWords } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import type { PaymentCode } from '../../ways-to-pay/payment-codes/store.ts'
import type { PaymentLink } from '../../ways-to-pay/payment-links/store.ts'

// Each search reads the newest rows of a table, at most 10 000, in the order of its primary key.

const walkNames = <Row>(
  db: Database,
  { spaceId, environment }: Scope,
  table: Sql,
  fit: Sql,
  { take }: Page,
  among: Sql = nothing,
) =>
  walkBounded<Row>(db, {
    ordered: sql`select * from ${table} where space_id = ${spaceId} and environment = ${environment} ${among}`,
    column: sql`id`,
    fit,
    take,
  })

const name = [sql`name`]

export const selectNamedLinks = (db: Database, scope: Scope, text: string, page: Page) =>
  walkNames<PaymentLink>(db, scope, sql`payment_links`, containsText(text, name).fits, page)

export const selectNamedAccounts = (db: Database, scope: Scope, text: string, page: Page) =>
  walkNames<FinancialAccount>(db, scope, sql`financial_accounts`, containsText(text, name).fits, page)

/** Finds payment codes by their name, or by words of the customer's name. */
export const selectNamedCodes = (db: Database, scope: Scope, text: string, page: Page) =>
  walkNames<PaymentCode>(
    db,
    scope,
    sql`payment_codes`,
    sql`(${containsText(text, name).fits} or ${containsWords(text, [sql`customer_name`]).fits}
      or ${hasWords(scope, sql`customer_name_words`, text)})`,
    page,
    sql`and checkout_session_id is null`,
  )

/** Finds payouts by words of the payee's name, which only payouts of a batch have. */
export const selectNamedPayees = (
  db: Database,
  { spaceId, environment }: Scope,
  text: string,
  { take }: Page,
) =>
  walkBounded<Payout>(db, {
    ordered: sql`
      select space_id, environment, batch_id, number, name, name_words from payout_batch_rows
      where space_id = ${spaceId} and environment = ${environment}`,
    // Ends up as `order by batch_id desc, number desc`, the order of the primary key.
    column: sql`batch_id desc, number`,
    cursor: sql`batch_id`,
    fit: sql`(${containsWords(text, name).fits} or ${hasWords({ spaceId, environment }, sql`name_words`, text)})`,
    take,
    shown: (rows) => sql`
      select payout.*, ${encryptedColumn('payouts.payee_account', { of: 'payout' })} from (${rows}) named
      cross join lateral (
        select * from payouts
        where space_id = ${spaceId} and environment = ${environment} and batch_id = named.batch_id
          and batch_row = named.number
        offset 0
      ) payout`,
  })
