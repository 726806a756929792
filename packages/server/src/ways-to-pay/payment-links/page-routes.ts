import { fieldsOf, sameText } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { enforceAddressLimit, enforceViewLimit } from '../../platform/http/admission/address-limit.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import { readId } from '../../platform/ids.ts'
import { existing } from '../../platform/refusals.ts'
import { pageUrl } from '../checkout/page-key.ts'
import { redirectTo } from '../checkout/page-responses.ts'
import { buildPageRoute } from '../checkout/page-routes.ts'
import { qrCode } from '../checkout/pages/qr.ts'
import { sessionIds } from '../checkout/resources.ts'
import { shareSessions } from '../checkout/store.ts'
import { sendButton } from './button.ts'
import { canBePaid, entriesOf, needsForm, openSessions, readEntries, sessionDone } from './opening.ts'
import { endedState, formState, formTokenOf, showLink } from './page-views.ts'
import { linkUrl } from './payment-links.ts'
import { sendPoster } from './poster.ts'
import { selectOpenedStatus } from './store.ts'
import { inLinkVisit, type LinkPageParts, type LinkVisit, shareLinkVisits } from './visits.ts'

/** Returns the routes of a link's pages for payers. The pages work without JavaScript. */
export function linkPageRoutes(parts: LinkPageParts): RawRoute[] {
  const find = shareLinkVisits(parts)
  const findSession = shareSessions(parts.db)
  const sessions = openSessions(parts)
  const page = buildPageRoute<LinkVisit>(parts, (request, handle) =>
    inLinkVisit(parts, find, request, handle),
  )
  return [
    page('GET', '/l/:key', 'Show the page of a payment link', async (_, visit, reply) => {
      const { request } = reply
      if (!canBePaid(visit)) return showLink(parts, visit, reply, endedState(visit))
      if (!needsForm(visit.link) && (await sessions.mayOpen(request)))
        return redirectTo(reply, await sessions.open(visit, nothingChosen))
      return showLink(parts, visit, reply, formState(parts, visit, reply, entriesOf(request.query)))
    }),
    page('POST', '/l/:key', 'Continue to payment', async (_, visit, reply) => {
      const { request } = reply
      const { formToken } = fieldsOf(request.body)
      const isOurs = typeof formToken === 'string' && sameText(formToken, formTokenOf(parts, visit))
      if (!isOurs || !canBePaid(visit)) return redirectTo(reply, `/l/${visit.key}`)
      const entries = entriesOf(request.body)
      const choice = readEntries(visit.link, entries)
      if (Array.isArray(choice))
        return showLink(parts, visit, reply.code(422), formState(parts, visit, reply, entries, choice))
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
      return showLink(parts, visit, reply, {
        kind: 'done',
        text,
        orderNumber,
        receiptPath: `${path}/receipt`,
      })
    }),
    page('GET', '/l/:key/qr.svg', 'Return the link’s URL as a QR code', async (_, visit, reply) =>
      sendQr(linkUrl(parts, visit.scope, visit.link), reply),
    ),
    page('GET', '/l/:key/poster', 'Show a poster of the link for printing', async (_, visit, reply) =>
      sendPoster(parts, visit, reply),
    ),
    {
      kind: 'raw',
      method: 'GET',
      url: '/l/:key/button',
      summary: 'Return the amount and payment methods that a button of the link shows',
      admit: (request) => enforceViewLimit(parts, request),
      handle: (request, reply) =>
        inLinkVisit(parts, find, request, async (visit) => sendButton(parts, visit, reply)),
    },
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
