import { must } from '@pesewa/values'
import { parsePhone } from '@pesewa/values/phones'
import type { Database } from '../../platform/db/database.ts'
import { hashOf } from '../../platform/db/encryption.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { equals, type Filter, nameFilter } from '../../platform/http/lists/filters.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import type { Catalogue } from '../connections/catalogue.ts'
import type { TransactionFilter } from './transaction-shapes.ts'

/** The account column, and the condition that the account is a phone number, as in the index of phone numbers. */
export type PhoneColumns = { account: Sql; isPhone: Sql }

/**
 * Returns the conditions for a search by the identifiers that payments, payouts and refunds have in common:
 * references, the rail's transaction id and the phone number.
 *
 * @param phone `q` as a phone number, or `undefined` if it is not one
 */
export const transactionSearch = (
  q: string,
  phone: ScopedPhone | undefined,
  { account, isPhone }: PhoneColumns,
): { few: Sql[]; many: Sql[] } => ({
  few: [sql`ledger_reference = ${q}`, ...(isUuid.test(q) ? [sql`rail_reference = ${q}`] : [])],
  many: [
    sql`rail_transaction = ${q}`,
    ...(phone === undefined ? [] : formsOf(phone).map((form) => sql`${account} = ${form} and ${isPhone}`)),
  ],
})

/**
 * Parses a phone number as written in the Space's country, such as `076 123 456`, `+232 76-123456` or
 * `tel:+23276123456`. Returns `undefined` if the text is not a phone number.
 */
export async function phoneIn(db: Database, scope: Scope, q = ''): Promise<ScopedPhone | undefined> {
  // Numbers pasted from messages and web pages contain dashes and spaces that no keyboard has.
  const dialled = q.normalize('NFKC').replace(/^\s*tel:|[./\u2010-\u2015\u2212]/gi, '')
  if (!/^[+(]?[0-9][0-9\s()-]{5,30}$/.test(dialled.trim())) return undefined
  const { country } = must(await selectSpace(db, scope.spaceId), 'Space of a call')
  const phoneNumber = parsePhone(dialled, country, scope.environment)
  return phoneNumber === undefined ? undefined : { scope, phoneNumber }
}

/** A phone number to be found in rows of a Space. */
export type ScopedPhone = Scoped<{ phoneNumber: string }>

/** Returns what a column may contain: the keyed hash of the number or, in rows that are not yet encrypted, the number. */
const formsOf = ({ scope, phoneNumber }: ScopedPhone) => [hashOf(scope, phoneNumber), phoneNumber]

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Returns the conditions of a filter, beginning with the most selective ones: few rows have the same phone
 * number, but nearly all rows are completed.
 */
export function transactionFilters(
  scope: Scope,
  { status, provider, amount, phoneNumber }: TransactionFilter,
  { account, isPhone }: PhoneColumns,
  ...ofFinancialAccount: Filter[]
): Filter[] {
  const e164 = phoneNumber && `+${phoneNumber.replace(/^[+ ]/, '')}`
  const ofStatus = equals(sql`status`, sql`text`, status, { leadsTo: 'many' })
  const ofProvider = equals(sql`provider_id`, sql`text`, provider, { leadsTo: 'many' })
  return [
    ofPhone(e164 === undefined ? undefined : { scope, phoneNumber: e164 }, { account, isPhone }),
    equals(sql`amount`, sql`bigint`, amount, { leadsTo: 'many' }),
    ...(status === 'completed'
      ? [...ofFinancialAccount, ofProvider, ofStatus]
      : [ofStatus, ...ofFinancialAccount, ofProvider]),
  ]
}

/** Returns the filter for a phone number. */
function ofPhone(phone: ScopedPhone | undefined, { account, isPhone }: PhoneColumns): Filter {
  const [hash = null, plain = null] = phone ? formsOf(phone) : []
  return {
    ...nameFilter(phone?.phoneNumber, () => ({
      many: phone ? formsOf(phone).map((form) => sql`${account} = ${form} and ${isPhone}`) : [],
    })),
    fits: sql`(${plain}::text is null or (${account} in (${plain}, ${hash}) and ${isPhone}))`,
  }
}

/**
 * Checks that the provider in a filter exists, whether or not it is active.
 *
 * @throws Refusal if there is no such provider
 */
export function validateProviderFilter(catalogue: Catalogue, { provider }: TransactionFilter): void {
  if (provider !== undefined && !catalogue.find(provider))
    throw argumentRefusal('provider', 'does not name a provider')
}
