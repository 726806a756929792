import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatMoney } from '../countries/money.ts'
import { timeZoneOf } from '../countries/time-zones.ts'
import { shownAccount } from '../payments/channel.ts'
import { findReceipt } from '../payments/receipts.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { must } from '../platform/must.ts'
import { leadTo, pageHeaders, sendPage } from './page-responses.ts'
import { limit, type PageParts, shareVisits, showMessage, visitOf } from './page-routes.ts'
import { stageOf, type Visit } from './page-state.ts'
import { formatTime, languageOf } from './pages/language.ts'
import { type ReceiptView, renderReceiptPage } from './pages/receipt-page.ts'
import { receiptTexts } from './pages/receipt-texts.ts'

// With its fonts and tables a fifth of all that a start would load; the first receipt waits a moment for it.
const pdf = () => import('./pages/receipt-pdf.ts')

/** What the payer keeps: a page and a PDF, for whoever has the link of the payment page, once it is paid. */
export function receiptPageRoutes(given: Omit<PageParts, 'find'>): RawRoute[] {
  const parts: PageParts = { ...given, find: shareVisits(given.db) }
  const showError: RawRoute['showError'] = (error, request, reply) =>
    showMessage(parts, error, request, reply)
  const page = (url: string, summary: string, handle: RawRoute['handle']): RawRoute => ({
    kind: 'raw',
    method: 'GET',
    url,
    summary,
    showError,
    handle,
  })
  return [
    page('/pay/:key/receipt', 'The receipt as a page', async (request, reply) => {
      const visit = await visitOf(parts, request)
      const pagePath = `/pay/${visit.key}`
      if (stageOf(visit) !== 'paid') return leadTo(reply, pagePath)
      const view = await receiptOf(parts, visit, request)
      return sendPage(reply, (nonce) =>
        renderReceiptPage(view, { nonce, pagePath, pdfPath: `${pagePath}/receipt.pdf` }),
      )
    }),
    page('/pay/:key/receipt.pdf', 'The receipt as PDF', async (request, reply) => {
      // It takes some milliseconds of the processor to write one.
      await limit(parts, request)
      const visit = await visitOf(parts, request)
      if (stageOf(visit) !== 'paid') return leadTo(reply, `/pay/${visit.key}`)
      return sendPdf(reply, await receiptOf(parts, visit, request))
    }),
  ]
}

async function receiptOf(
  { db, catalogue }: PageParts,
  { scope, session, space, attempt }: Visit,
  request: FastifyRequest,
): Promise<ReceiptView> {
  const language = languageOf(request.headers['accept-language'])
  const t = receiptTexts(request.headers['accept-language'])
  const { createdAt } = await findReceipt(db, scope, session.orderNumber)
  const money = (value: bigint) =>
    formatMoney({ currency: session.currency, value }, t.lang).replaceAll(' ', '\u00a0')
  const paid = must(attempt, 'attempt that paid')
  const { providerId } = paid
  return {
    t,
    merchant: space.name,
    name: session.name,
    orderNumber: session.orderNumber,
    paidAt: { text: formatTime(createdAt, language, timeZoneOf(space.country)), time: createdAt },
    provider: catalogue.find(providerId)?.name ?? providerId,
    account: shownAccount(paid),
    items: session.lineItems.map(({ name, description, quantity, price }) => ({
      name,
      description,
      multiple:
        quantity === 1 ? null : t.quantity(quantity.toLocaleString(t.locale), money(BigInt(price.value))),
      total: money(BigInt(price.value) * BigInt(quantity)),
    })),
    total: money(session.amount),
    brand: session.primaryColor,
    environment: scope.environment,
  }
}

/** To be kept, not shown: a browser's own viewer of PDFs does not get along with the pages' policy. */
async function sendPdf(reply: FastifyReply, view: ReceiptView) {
  return reply
    .headers({ ...pageHeaders(), 'content-language': view.t.lang, vary: 'accept-language' })
    .header('content-disposition', `attachment; filename="receipt-${view.orderNumber}.pdf"`)
    .type('application/pdf')
    .send(await (await pdf()).renderReceiptPdf(view))
}
