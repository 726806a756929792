import { randomInt } from 'node:crypto'
import { findCountry, isSupportedCurrency, must } from '@pesewa/values'
import { mainAccount } from '../../ledger/accounts/accounts.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import { newId } from '../../platform/ids.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { type PaymentCodeParts, publishCode, scheduleExpiry } from './payment-codes.ts'
import { defaultMode, type NewPaymentCode } from './shapes.ts'
import { claimNumber, insertCode, type PaymentCode } from './store.ts'
import { expiryOf, findNamedAccount, type Terms, validateCodeTerms } from './terms.ts'

/** Creates a code with a unique number. If the request is not valid, the refusal lists all of its issues. */
export async function createCode(
  tx: Tx,
  parts: PaymentCodeParts,
  scope: Scope,
  request: NewPaymentCode,
  { idempotencyKey, at }: { idempotencyKey: string; at: Date },
): Promise<PaymentCode> {
  const issues = new Issues()
  const { currency, ...terms } = await validateCode(tx, parts, scope, request, at, issues)
  issues.refuse()
  const { mode = defaultMode, name } = request
  const id = newId(at)
  const code: PaymentCode = {
    id,
    number: await newNumber(tx, scope, id),
    mode,
    status: 'pending',
    name,
    amount: null,
    currency,
    enabled: true,
    customerName: null,
    reference: null,
    authorizedProviders: null,
    authorizedPhoneNumber: null,
    expectedCount: null,
    expectedTotal: null,
    paidCount: 0,
    paidTotal: 0n,
    failedCount: 0,
    processed: null,
    metadata: {},
    idempotencyKey,
    checkoutSessionId: null,
    expiresAt: expiryOf(null, at),
    createdAt: at,
    updatedAt: at,
    ...terms,
    financialAccountId: terms.financialAccountId ?? (await mainAccount(tx, scope, currency, at)),
  }
  await insertCode(tx, scope, code)
  await scheduleExpiry(tx, scope, code)
  await publishCode(tx, parts.settings, scope, code, 'created')
  return code
}

/**
 * Reads the currency and terms of a new code from the request, and adds any validation issues to
 * `issues`. If there are any issues, the result must not be used.
 */
export async function validateCode(
  db: Reader,
  parts: PaymentCodeParts,
  scope: Scope,
  request: WellFormed<NewPaymentCode>,
  at: Date,
  issues: Issues,
): Promise<Partial<Terms> & { currency: string }> {
  const currency = await chooseCodeCurrency(db, scope, request)
  const mode = issues.hasIssue('mode') ? undefined : (request.mode ?? defaultMode)
  return { ...(await validateCodeTerms(db, parts, scope, { mode, currency }, request, at, issues)), currency }
}

/**
 * Returns the currency of the amount, the target's total or the account, in this order of preference, or the
 * currency of the Space's country if the request contains none of them.
 */
async function chooseCodeCurrency(
  db: Reader,
  scope: Scope,
  request: WellFormed<NewPaymentCode>,
): Promise<string> {
  const named = [request.amount, request.recurrentPaymentTarget?.expectedPaymentTotal]
  const currency = named.map((money) => money?.currency).find((one) => one && isSupportedCurrency(one))
  if (currency) return currency
  const shown = request.financialAccountId
  const account = shown === undefined ? undefined : await findNamedAccount(db, scope, shown)
  if (account) return account.currency
  const { country } = must(await selectSpace(db, scope.spaceId), 'Space of a call')
  return must(findCountry(country), 'country of a Space').currency.code
}

/** Claims ten random digits that no code has ever had, and returns them. */
async function newNumber(tx: Tx, scope: Scope, id: string): Promise<string> {
  for (;;) {
    const number = String(randomInt(1e10)).padStart(10, '0')
    if (await claimNumber(tx, scope, { number, id })) return number
  }
}
