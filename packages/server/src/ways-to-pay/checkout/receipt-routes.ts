import { formatMoney, must } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { shownAccount } from '../../money/payments/channel.ts'
import { receiptCode } from '../../money/payments/receipt-codes.ts'
import { requireReceipt } from '../../money/payments/receipts.ts'
import { selectCompleted } from '../../money/refunds/store.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Brand, findLogo, identityOf, logoPath } from '../../tenants/spaces/brands.ts'
import { findMoneyBack } from './money-back.ts'
import { pageHeaders, redirectTo, sendPage } from './page-responses.ts'
import { sessionPages } from './page-routes.ts'
import { supportDetails, type Visit } from './page-state.ts'
import { formatNumber, formatTime } from './pages/language.ts'
import { moneyBackText } from './pages/money-back-text.ts'
import { unbroken } from './pages/parts.ts'
import { type ReceiptView, renderReceiptPage } from './pages/receipt-page.ts'
import { receiptTexts } from './pages/receipt-texts.ts'
import { texts } from './pages/texts.ts'
import type { CheckoutParts } from './visits.ts'

// These modules are loaded with the first receipt. Their fonts and tables would be a fifth of everything loaded
// at start-up.
const pdf = () => import('./pages/receipt-pdf.ts')

/**
 * Defines the routes for receipts of paid sessions, as a page and as a PDF. Anyone with the link of the payment
 * page can open them.
 */
export function receiptPageRoutes(parts: CheckoutParts): RawRoute[] {
  const page = sessionPages(parts)
  // The limit is needed, because rendering a PDF takes several milliseconds of CPU time.
  const isLimited = true
  return [
    page('GET', '/pay/:key/receipt', 'Show the receipt', showReceipt),
    page('GET', '/r/:key', 'Open the receipt by its short address', async (_parts, { key }, reply) =>
      redirectTo(reply, `/pay/${key}/receipt`),
    ),
    page('GET', '/pay/:key/receipt.pdf', 'Download the receipt as a PDF', sendPdf, isLimited),
  ]
}

async function showReceipt(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  const pagePath = `/pay/${visit.key}`
  if (visit.stage !== 'paid') return redirectTo(reply, pagePath)
  const view = await receiptOf(parts, visit)
  const pdfPath = `${pagePath}/receipt.pdf`
  return sendPage(reply, visit.language, (nonce) => renderReceiptPage(view, { nonce, pagePath, pdfPath }))
}

/**
 * Sends the PDF as a download, because the PDF viewers of browsers do not work with the Content-Security-Policy
 * of the pages.
 */
async function sendPdf(parts: CheckoutParts, visit: Visit, reply: FastifyReply) {
  if (visit.stage !== 'paid') return redirectTo(reply, `/pay/${visit.key}`)
  const view = await receiptOf(parts, visit)
  return reply
    .headers({ ...pageHeaders(), 'content-language': view.t.lang, vary: 'accept-language, cookie' })
    .header('content-disposition', `attachment; filename="receipt-${view.orderNumber}.pdf"`)
    .type('application/pdf')
    .send(await (await pdf()).renderReceiptPdf(view))
}

async function findMerchantLogo(db: Reader, scope: Scope, { logoId }: Brand) {
  const logo = logoId ? await findLogo(db, scope, logoId) : undefined
  return logo && logoId ? { path: logoPath(scope, logoId), image: logo.image } : undefined
}

async function receiptOf(
  { db, catalogue, seals, baseUrl }: CheckoutParts,
  visit: Visit,
): Promise<ReceiptView> {
  const { scope, session, space, brand, attempt, language } = visit
  const merchant = brand.name ?? space.name
  const t = receiptTexts[language]
  const { createdAt } = await requireReceipt(db, scope, session.orderNumber)
  const money = (value: bigint) => unbroken(formatMoney({ currency: session.currency, value }, t.lang))
  const paid = must(attempt, 'completed attempt')
  const date = (at: Date) => formatTime(at, language, timeZoneOf(space.country))
  const refunds = await selectCompleted(db, scope, paid.id)
  const { providerId } = paid
  return {
    t,
    merchant,
    ...supportDetails(brand),
    identity: identityOf(brand, t.taxNumber),
    merchantLogo: await findMerchantLogo(db, scope, brand),
    code: receiptCode(seals, { scope, number: session.orderNumber }),
    checkUrl: `${baseUrl}/receipt`,
    name: session.name,
    orderNumber: session.orderNumber,
    paidAt: { text: date(createdAt), time: createdAt },
    provider: catalogue.find(providerId)?.name ?? providerId,
    logo: catalogue.logoOf(providerId)?.path,
    account: shownAccount(paid),
    cardLogo: catalogue.logoOf(paid.cardScheme ?? '')?.path,
    transaction: paid.railTransaction,
    items: session.lineItems.map(({ name, description, quantity, price }) => ({
      name,
      description,
      multiple:
        quantity === 1 ? null : t.quantity(formatNumber(quantity, language), money(BigInt(price.value))),
      total: money(BigInt(price.value) * BigInt(quantity)),
    })),
    total: money(session.amount),
    notes: (await findMoneyBack(db, visit))
      .filter(({ kind }) => kind === 'twice')
      .map((back) => moneyBackText({ ...back, amount: unbroken(back.amount) }, texts[language], merchant)),
    returned: refunds.map(({ net, updatedAt, completedAt, railTransaction }) => ({
      text: [t.returned(date(completedAt ?? updatedAt)), railTransaction].filter(Boolean).join(' · '),
      amount: `−${money(net)}`,
    })),
    brand: session.primaryColor ?? brand.color,
    environment: scope.environment,
  }
}
