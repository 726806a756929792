import { fieldsOf, formatMoney, must } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { openStatement } from '../../ledger/accounts/account-statements.ts'
import { findStatementByCode, type StatementIdentity } from '../../ledger/accounts/statement-codes.ts'
import { findReceiptByCode } from '../../money/payments/receipt-codes.ts'
import { type Receipt, selectKept } from '../../money/payments/receipt-store.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { enforceAddressLimit } from '../../platform/http/admission/address-limit.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { compressSharedPart } from '../../platform/http/server/compression.ts'
import type { Scope } from '../../platform/scope.ts'
import { findBrand } from '../../tenants/spaces/brands.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { sendPage } from './page-responses.ts'
import { showMessage } from './page-views.ts'
import { styles } from './pages/assets.ts'
import { formatTime, type Language } from './pages/language.ts'
import { renderVerificationPage, type Verified } from './pages/render.ts'
import { languageFor, rememberLanguage } from './payer-cookies.ts'
import type { CheckoutParts } from './visits.ts'

const shared = compressSharedPart(styles)
const maxCodeLength = 80 // length of the code of a receipt or statement as typed

/**
 * Defines the page that shows whether a receipt or statement is genuine. It shows the figures in our records, so
 * that they can be compared with those on the document.
 */
export const verificationRoute = (parts: CheckoutParts): RawRoute => ({
  kind: 'raw',
  method: 'GET',
  url: '/receipt',
  summary: 'Check that a receipt or statement is genuine',
  showError: (error, _request, reply) => showMessage(parts, error, reply),
  // Guessing a code of 40 bits would take thousands of years at this rate.
  admit: (request) => enforceAddressLimit(parts, 'page-limit', parts.settings.pageLimit, request),
  async handle(request, reply: FastifyReply) {
    rememberLanguage(parts, reply)
    const language = languageFor(parts, request)
    const { code: given } = fieldsOf(request.query)
    const code = typeof given === 'string' ? given.slice(0, maxCodeLength) : ''
    const found = code === '' ? undefined : await verify(parts, code, language)
    const isUnknown = code !== '' && !found
    const render = (nonce: string) => renderVerificationPage({ language, nonce, code, found, isUnknown })
    return sendPage(reply.code(isUnknown ? 404 : 200), language, render, [], shared)
  },
})

async function verify(parts: CheckoutParts, code: string, language: Language): Promise<Verified | undefined> {
  const { db, seals } = parts
  const receipt = await findReceiptByCode(db, seals, code)
  if (receipt) return db.within(receipt.scope.spaceId, () => showReceipt(parts, receipt, language))
  const statement = await findStatementByCode(db, seals, code)
  return statement && db.within(statement.scope.spaceId, () => showStatement(parts, statement, language))
}

/** Returns the figures of a receipt. A refund is shown, because the receipt no longer proves the whole amount. */
async function showReceipt(
  parts: CheckoutParts,
  { scope, name, number, amount, currency, createdAt }: Scoped<Receipt>,
  language: Language,
): Promise<Verified> {
  const { merchant, timeZone } = await holderOf(parts, scope)
  const refunded = amount - (await selectKept(parts.db, scope, number))
  const money = (value: bigint) => formatMoney({ currency, value }, language)
  return {
    kind: 'receipt',
    environment: scope.environment,
    facts: [
      ['merchant', merchant],
      ['amount', money(amount)],
      ...(refunded > 0n ? [['refunded', money(refunded)] as const] : []),
      ['paidAt', formatTime(createdAt, language, timeZone)],
      ['order', name],
      ['orderNumber', number],
    ],
  }
}

async function showStatement(
  parts: CheckoutParts,
  { scope, accountId, from, to }: StatementIdentity,
  language: Language,
): Promise<Verified> {
  const { merchant, timeZone } = await holderOf(parts, scope)
  const { account, opening, closing } = await openStatement(parts.db, scope, accountId, {
    from,
    to,
    timeZone,
  })
  const money = (value: bigint) => formatMoney({ currency: account.currency, value }, language)
  return {
    kind: 'statement',
    environment: scope.environment,
    facts: [
      ['merchant', merchant],
      ['account', account.uvan],
      ['from', formatTime(from, language, timeZone)],
      ['to', formatTime(to, language, timeZone)],
      ['opening', money(opening)],
      ['closing', money(closing)],
    ],
  }
}

async function holderOf({ db }: CheckoutParts, scope: Scope) {
  const brand = await findBrand(db, scope)
  const { name, country } = must(await selectSpace(db, scope.spaceId), 'Space of a receipt')
  return { merchant: brand.name ?? name, timeZone: timeZoneOf(country) }
}
