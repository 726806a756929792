import { hasKey } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressSharedPart } from '../../platform/http/server/compression.ts'
import { refusalOf } from '../../platform/http/server/server.ts'
import { pageUrl } from './page-key.ts'
import { sendPage } from './page-responses.ts'
import { type Visit, viewOf } from './page-state.ts'
import { styles } from './pages/assets.ts'
import { renderCheckoutPage, renderMessagePage } from './pages/render.ts'
import type { CheckoutState } from './pages/view.ts'
import { languageFor } from './payer-cookies.ts'
import type { CheckoutParts } from './visits.ts'

const shared = compressSharedPart(styles)

export function showState(parts: CheckoutParts, visit: Visit, reply: FastifyReply, state: CheckoutState) {
  const { session, scope, offers } = visit
  const context = {
    // A QR code that opens the page on a phone is of no use on a phone.
    ...(state.kind === 'choose' && !isPhone(reply.request) && { address: pageUrl(parts, scope, session.id) }),
    ...(parts.settings.simulator === 'on' && scope.environment === 'test' && { handsetsUrl: '/simulator' }),
  }
  // If the provider responds quickly, the response to the form redirects the payer straight to the provider's
  // page.
  const redirectsTo = [session.successUrl, session.cancelUrl, ...offers.flatMap((offer) => offer.pageOrigins)]
  return sendPage(
    reply,
    visit.language,
    (nonce) => renderCheckoutPage(viewOf(visit, { ...context, nonce }, state)),
    redirectsTo.filter((url) => url !== null),
    shared,
  )
}

export const isPhone = ({ headers }: FastifyRequest): boolean => /Mobi/.test(headers['user-agent'] ?? '')

/** Sends the error page for a refusal or an unexpected error, with its status and headers. */
export function showMessage(parts: CheckoutParts, error: unknown, reply: FastifyReply) {
  const refusal = refusalOf(parts, error, reply.request)
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value)
  const messages = { not_found: 'notFound', too_many_requests: 'tooMany' } as const
  const message = hasKey(messages, refusal.reason) ? messages[refusal.reason] : 'failed'
  const language = languageFor(parts, reply.request)
  const render = (nonce: string) => renderMessagePage({ language, nonce, message })
  return sendPage(reply.code(refusal.status), language, render, [], shared)
}
