import { selectFinancialAccounts } from '../../ledger/accounts/store.ts'
import { selectTransfers } from '../../ledger/transfers/store.ts'
import { selectPayments } from '../../money/payments/list-store.ts'
import { selectPayouts } from '../../money/payouts/store.ts'
import { selectRecalls } from '../../money/recalls/store.ts'
import { selectRefunds } from '../../money/refunds/store.ts'
import type { Stretch } from '../../platform/db/bounded-walk.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectSessions } from '../../ways-to-pay/checkout/store.ts'
import { selectCodes } from '../../ways-to-pay/payment-codes/store.ts'
import * as show from './hits.ts'
import { selectNamedAccounts, selectNamedCodes, selectNamedLinks, selectNamedPayees } from './name-store.ts'
import type { SearchedAmount } from './question.ts'
import type { Hit } from './shapes.ts'

/** A type of object that can be searched by anything but its id. */
type Searched = {
  permission: string
  /** Finds objects by an identifier or a phone number, through the indexes of the list's filter `q`. */
  byIdentifier?(db: Database, scope: Scope, text: Identifier, page: Page): Promise<Hit[]>
  byAmount?(db: Database, scope: Scope, amount: number, page: Page): Promise<Hit[]>
  /** Finds objects by name, among the newest objects. */
  byName?(db: Database, scope: Scope, text: string, page: Page): Promise<Hit[]>
}

/** The searched text. `code` is the number of a payment code, if the text is a string to dial. */
export type Identifier = { q: string; code: string }

const hits = async <Row>(found: Promise<Stretch<Row> | Row[]>, present: (row: Row) => Hit) => {
  const rows = await found
  return (Array.isArray(rows) ? rows : rows.rows).map(present)
}

/** The types, in the order in which their objects are shown. */
export const searched: Searched[] = [
  {
    permission: 'payments:read',
    byIdentifier: (db, scope, { q }, page) =>
      hits(selectPayments(db, scope, { q }, page, { names: false }), show.showPayment),
    byAmount: (db, scope, amount, page) =>
      hits(selectPayments(db, scope, { amount }, page), show.showPayment),
    byName: (db, scope, text, page) => hits(selectPayments(db, scope, { text }, page), show.showPayment),
  },
  {
    permission: 'payouts:read',
    byIdentifier: (db, scope, { q }, page) => hits(selectPayouts(db, scope, { q }, page), show.showPayout),
    byAmount: (db, scope, amount, page) => hits(selectPayouts(db, scope, { amount }, page), show.showPayout),
    byName: (db, scope, text, page) => hits(selectNamedPayees(db, scope, text, page), show.showPayout),
  },
  {
    permission: 'refunds:read',
    byIdentifier: (db, scope, { q }, page) => hits(selectRefunds(db, scope, { q }, page), show.showRefund),
    byAmount: (db, scope, amount, page) => hits(selectRefunds(db, scope, { amount }, page), show.showRefund),
  },
  {
    permission: 'checkout-sessions:read',
    byIdentifier: (db, scope, { q }, page) => hits(selectSessions(db, scope, { q }, page), show.showSession),
  },
  {
    permission: 'payment-links:read',
    byName: (db, scope, text, page) => hits(selectNamedLinks(db, scope, text, page), show.showLink),
  },
  {
    permission: 'payment-codes:read',
    byIdentifier: (db, scope, { q, code: named }, page) =>
      hits(selectCodes(db, scope, { q, named }, page), show.showCode),
    byName: (db, scope, text, page) => hits(selectNamedCodes(db, scope, text, page), show.showCode),
  },
  {
    permission: 'payouts:read',
    byIdentifier: (db, scope, { q }, page) => hits(selectRecalls(db, scope, { q }, page), show.showRecall),
  },
  {
    permission: 'financial-accounts:read',
    byIdentifier: (db, scope, { q }, page) =>
      hits(selectFinancialAccounts(db, scope, { q }, page), show.showAccount),
    byName: (db, scope, text, page) => hits(selectNamedAccounts(db, scope, text, page), show.showAccount),
  },
  {
    permission: 'internal-transfers:read',
    byIdentifier: (db, scope, { q }, page) =>
      hits(selectTransfers(db, scope, { q }, page), show.showTransfer),
  },
]

/** Returns whether a hit has the amount that was searched for. */
export const hasCurrency = ({ amount }: Hit, { currency }: SearchedAmount) =>
  currency === undefined || amount?.currency === currency
