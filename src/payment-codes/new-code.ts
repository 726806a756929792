import { randomInt } from 'node:crypto'
import { findCountry } from '../countries/countries.ts'
import { mainAccount } from '../ledger/accounts.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { Faults } from '../platform/refusals.ts'
import { findSpace } from '../spaces/spaces.ts'
import { type CodeParts, publishCode, scheduleExpiry } from './payment-codes.ts'
import type { NewPaymentCode } from './shapes.ts'
import { insertCode, type PaymentCode, takeNumber } from './store.ts'
import { accountNamed, checkAuthorized, expiryOf, readTerms } from './terms.ts'

/** Opens a code with a number of its own, or refuses with every fault of the request at once. */
export async function createCode(
  tx: Tx,
  parts: CodeParts,
  scope: Scope,
  { mode = 'one_time', ...given }: NewPaymentCode,
  at: Date,
): Promise<PaymentCode> {
  const faults = new Faults()
  const currency = await currencyOf(tx, scope, given)
  const terms = await readTerms(tx, parts, scope, { mode, currency }, given, at, faults)
  checkAuthorized(terms, faults)
  faults.refuse()
  const id = newId(at)
  const code: PaymentCode = {
    id,
    number: await newNumber(tx, scope, id),
    mode,
    status: 'pending',
    name: given.name,
    amount: null,
    currency,
    enabled: true,
    customerName: null,
    reference: null,
    authorizedProviders: null,
    authorizedPhoneNumber: null,
    expectedCount: null,
    expectedTotal: null,
    financialAccountId: terms.financialAccountId ?? (await mainAccount(tx, scope, currency, at)),
    paidCount: 0,
    paidTotal: 0n,
    failedCount: 0,
    processed: null,
    metadata: {},
    expiresAt: expiryOf(null, at),
    createdAt: at,
    updatedAt: at,
    ...terms,
  }
  await insertCode(tx, scope, code)
  await scheduleExpiry(tx, scope, code)
  await publishCode(tx, parts, scope, code, 'created')
  return code
}

/** Of the first that names one: the amount, the target's total, the account; else that of the Space's country. */
async function currencyOf(tx: Tx, scope: Scope, given: Omit<NewPaymentCode, 'mode'>): Promise<string> {
  const named = given.amount ?? given.recurrentPaymentTarget?.expectedPaymentTotal
  if (named) return named.currency
  const shown = given.financialAccountId
  const account = shown === undefined ? undefined : await accountNamed(tx, scope, shown)
  if (account) return account.currency
  const { country } = (await findSpace(tx, scope.spaceId))!
  return findCountry(country)!.currency.code
}

/** 10 random digits that no code ever had. */
async function newNumber(tx: Tx, scope: Scope, id: string): Promise<string> {
  for (;;) {
    const number = String(randomInt(1e10)).padStart(10, '0')
    if (await takeNumber(tx, scope, { number, id })) return number
  }
}
