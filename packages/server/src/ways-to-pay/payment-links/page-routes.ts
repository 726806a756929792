import { fieldsOf, formatMoney, sameText, symbolOf } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { enforceAddressLimit } from '../../platform/http/admission/address-limit.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { compressSharedPart } from '../../platform/http/server/compression.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import { readId } from '../../platform/ids.ts'
import { existing } from '../../platform/refusals.ts'
import { withoutHidden } from '../../platform/text-rules.ts'
import { logoPath } from '../../tenants/spaces/brands.ts'
import { pageUrl } from '../checkout/page-key.ts'
import { redirectTo, sendPage } from '../checkout/page-responses.ts'
import { buildPageRoute } from '../checkout/page-routes.ts'
import { supportDetails } from '../checkout/page-state.ts'
import { qrCode } from '../checkout/pages/qr.ts'
import { languageFor } from '../checkout/payer-cookies.ts'
import { sessionIds } from '../checkout/resources.ts'
import { shareSessions } from '../checkout/store.ts'
import {
  canBePaid,
  inLinkVisit,
  type LinkEntries,
  type LinkIssue,
  type LinkPageParts,
  type LinkVisit,
  maxReferenceLength,
  needsForm,
  openSessions,
  readEntries,
  sessionDone,
  shareLinkVisits,
} from './opening.ts'
import { type LinkPageState, renderLinkPage, styles } from './pages/link-page.ts'
import { amountOf, isPast, linkUrl } from './payment-links.ts'
import { selectOpenedStatus } from './store.ts'

/** Returns the routes of a link's pages for payers. The pages work without JavaScript. */
export function linkPageRoutes(parts: LinkPageParts): RawRoute[] {
  const find = shareLinkVisits(parts.db)
  const findSession = shareSessions(parts.db)
  const sessions = openSessions(parts)
  const page = buildPageRoute<LinkVisit>(parts, (request, handle) =>
    inLinkVisit(parts, find, request, handle),
  )
  return [
    page('GET', '/l/:key', 'Show the page of a payment link', async (_, visit, reply) => {
      const { request } = reply
      if (!canBePaid(visit)) return show(parts, visit, reply, endedState(visit))
      if (!needsForm(visit.link) && (await sessions.mayOpen(request)))
        return redirectTo(reply, await sessions.open(visit, nothingChosen))
      return show(parts, visit, reply, formState(parts, visit, reply, entriesOf(request.query)))
    }),
    page('POST', '/l/:key', 'Continue to payment', async (_, visit, reply) => {
      const { request } = reply
      const { formToken } = fieldsOf(request.body)
      const isOurs = typeof formToken === 'string' && sameText(formToken, formTokenOf(parts, visit))
      if (!isOurs || !canBePaid(visit)) return redirectTo(reply, `/l/${visit.key}`)
      const entries = entriesOf(request.body)
      const choice = readEntries(visit.link, entries)
      if (Array.isArray(choice))
        return show(parts, visit, reply.code(422), formState(parts, visit, reply, entries, choice))
      await sessions.admit(request)
      return redirectTo(reply, await sessions.open(visit, choice))
    }),
    page('GET', '/l/:key/done/:sealed', 'Show the success page', async (_, visit, reply) => {
      const { sealed = '' } = pathParams(reply.request)
      const session = existing(await findSession(visit.scope, existing(sessionDone(parts, visit, sealed))))
      const path = pageUrl(parts, visit.scope, session.id).slice(parts.baseUrl.length)
      if (session.status !== 'completed') return redirectTo(reply, path)
      const { orderNumber } = session
      const text = visit.link.successText
      return show(parts, visit, reply, { kind: 'done', text, orderNumber, receiptPath: `${path}/receipt` })
    }),
    page('GET', '/l/:key/qr.svg', 'Return the link’s URL as a QR code', async (_, visit, reply) =>
      sendQr(linkUrl(parts, visit.scope, visit.link), reply),
    ),
    {
      kind: 'raw',
      method: 'GET',
      url: '/l/:key/sessions/:session',
      summary: 'Return the status of a session opened from a payment link',
      admit: (request) => enforceAddressLimit(parts, 'page-limit', parts.settings.pageLimit, request),
      handle(request, reply) {
        // This endpoint is called by scripts on merchants' pages, without credentials.
        reply.headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        return inLinkVisit(parts, find, request, async ({ scope, link }) => {
          const sessionId = existing(readId(sessionIds, pathParams(request).session ?? ''))
          const found = await selectOpenedStatus(parts.db, scope, { linkId: link.id, sessionId })
          return reply.send({ status: existing(found).status })
        })
      },
    },
  ]
}

const nothingChosen = { amount: undefined, quantity: 1, reference: undefined }

const maxEntryLength = 200 // maximum length of a form field on a payment link’s page

/**
 * Reads the posted form, or the values with which the URL's query prefills it. Removes invisible characters,
 * which are often pasted along with text.
 */
function entriesOf(posted: unknown): LinkEntries {
  const form = fieldsOf(posted)
  const entry = (name: keyof LinkEntries, maxLength = maxEntryLength) => {
    const value = form[name]
    return typeof value === 'string' ? withoutHidden(cut(value.replaceAll(/\p{Cc}/gu, ' '), maxLength)) : ''
  }
  return {
    amount: entry('amount'),
    quantity: entry('quantity'),
    reference: entry('reference', maxReferenceLength),
  }
}

/** Truncates a text to a maximum number of characters without splitting surrogate pairs. */
const cut = (text: string, maxLength: number) =>
  [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('')

/** Returns a CSRF token that ties a form to the page of its link. */
const formTokenOf = ({ seals }: LinkPageParts, { key }: LinkVisit) => seals.tag('payment link form', key)

function endedState({ link, space, now }: LinkVisit): LinkPageState {
  if (space.suspendedAt !== null) return { kind: 'ended', why: 'suspended' }
  if (link.status !== 'active') return { kind: 'ended', why: link.status }
  return { kind: 'ended', why: isPast(link, now) ? 'expired' : 'busy' }
}

function formState(
  parts: LinkPageParts,
  visit: LinkVisit,
  reply: FastifyReply,
  entries: LinkEntries,
  issues: LinkIssue[] = [],
): LinkPageState {
  const { link, key } = visit
  const { currency, lineItems, minimum, maximum, quantityMinimum, quantityMaximum, referenceLabel } = link
  const language = languageFor(parts, reply.request)
  const money = (value: bigint) => formatMoney({ currency, value }, language)
  return {
    kind: 'form',
    action: `/l/${key}`,
    formToken: formTokenOf(parts, visit),
    items: (lineItems ?? []).map(({ name, description, images = [], price, quantity = 1 }) => ({
      name,
      description: description || null,
      image: images[0],
      quantity,
      price: money(BigInt(price.value)),
      total: money(BigInt(price.value) * BigInt(quantity)),
    })),
    total: lineItems && money(amountOf(lineItems)),
    amount: lineItems
      ? null
      : {
          symbol: symbolOf(currency, language),
          low: minimum === null ? null : money(minimum),
          high: maximum === null ? null : money(maximum),
        },
    quantity:
      quantityMinimum !== null && quantityMaximum !== null
        ? { minimum: quantityMinimum, maximum: quantityMaximum }
        : null,
    reference:
      referenceLabel === null
        ? null
        : { label: referenceLabel, isRequired: link.isReferenceRequired, maxLength: maxReferenceLength },
    entries,
    faults: issues,
  }
}

function show(parts: LinkPageParts, visit: LinkVisit, reply: FastifyReply, state: LinkPageState) {
  const { scope, link, space, brand } = visit
  // The QR code is for opening the page on a phone, so it is not needed on a phone.
  const isPhone = /Mobi/.test(reply.request.headers['user-agent'] ?? '')
  const language = languageFor(parts, reply.request)
  const render = (nonce: string) =>
    renderLinkPage({
      language,
      nonce,
      merchant: brand.name ?? space.name,
      logo: brand.logoId && logoPath(scope, brand.logoId),
      ...supportDetails(brand),
      name: link.name,
      description: link.description,
      brand: link.primaryColor ?? brand.color,
      environment: scope.environment,
      address: isPhone ? undefined : linkUrl(parts, scope, link),
      state,
    })
  return sendPage(reply, language, render, [], shared)
}

const shared = compressSharedPart(styles)

function sendQr(url: string, reply: FastifyReply) {
  const { path, side } = qrCode(url)
  return reply
    .headers({
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=86400',
    })
    .type('image/svg+xml')
    .send(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`,
    )
}
