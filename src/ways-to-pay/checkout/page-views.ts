import { hasKey } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { compressSharedPart } from '../../platform/http/server/compression.ts'
import { refusalOf } from '../../platform/http/server/server.ts'
import { chooseState, offeredProviders, type PostedForm, unavailableOf } from './page-choice.ts'
import { pageUrl } from './page-key.ts'
import { languageFor, sendPage } from './page-responses.ts'
import { formTokenOf, type Visit, viewOf } from './page-state.ts'
import { styles } from './pages/assets.ts'
import { renderCheckoutPage, renderMessagePage } from './pages/render.ts'
import type { CheckoutState, FormIssue } from './pages/view.ts'
import { isAttemptOf, rememberedProvider } from './payer-cookies.ts'
import type { CheckoutParts } from './visits.ts'

const shared = compressSharedPart(styles)

/** Shows the payment form. With `again`, the form contains the posted input and the issue with it. */
export function showChoice(
  parts: CheckoutParts,
  visit: Visit,
  reply: FastifyReply,
  again: { posted?: PostedForm; fault?: FormIssue } = {},
) {
  const offered = offeredProviders(visit, parts)
  const { environment } = visit.scope
  // If the provider responds quickly, the response to the form redirects the payer straight to the provider's
  // page.
  const pages = offered.flatMap(({ providerId }) =>
    parts.connectors
      .findRoutes(providerId, environment)
      .flatMap(({ connector }) => connector.pageOrigin ?? []),
  )
  const formToken = formTokenOf(parts.seals, visit.key)
  const state = chooseState(
    visit,
    offered,
    unavailableOf(parts, visit, offered),
    {
      language: languageFor(reply),
      formToken,
      logoOf: (providerId) => parts.catalogue.logoOf(providerId)?.path,
    },
    {
      ...again,
      remembered: rememberedProvider(parts, reply.request),
      isTheirs: isTheirAttempt(parts, visit, reply),
    },
  )
  // A QR code that opens the page on a phone is of no use on a phone.
  const isPhone = /Mobi/.test(reply.request.headers['user-agent'] ?? '')
  const address = isPhone ? undefined : pageUrl(parts, visit.scope, visit.session.id)
  return showState(parts, reply, visit, state, { pages, address })
}

/** Returns whether the last attempt on the page was made in this browser. */
function isTheirAttempt(parts: CheckoutParts, { key, attempt }: Visit, { request }: FastifyReply): boolean {
  if (!attempt) return false
  const { providerId, payerAccount: account } = attempt
  return isAttemptOf(parts, request, key, { providerId, account })
}

export function showState(
  { settings }: CheckoutParts,
  reply: FastifyReply,
  visit: Visit,
  state: CheckoutState,
  { pages = [], address }: { pages?: string[]; address?: string | undefined } = {},
) {
  const { successUrl, cancelUrl } = visit.session
  const redirectsTo = [successUrl, cancelUrl, ...pages].filter((url) => url !== null)
  const visitor = {
    language: languageFor(reply),
    ...(address && { address }),
    ...(settings.simulator === 'on' && visit.scope.environment === 'test' && { handsetsUrl: '/simulator' }),
  }
  return sendPage(
    reply,
    (nonce) => renderCheckoutPage(viewOf(visit, { ...visitor, nonce }, state)),
    redirectsTo,
    shared,
  )
}

/** Sends the error page for a refusal or an unexpected error, with its status and headers. */
export function showMessage(parts: CheckoutParts, error: unknown, reply: FastifyReply) {
  const refusal = refusalOf(parts, error, reply.request)
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value)
  const messages = { not_found: 'notFound', too_many_requests: 'tooMany' } as const
  const message = hasKey(messages, refusal.reason) ? messages[refusal.reason] : 'failed'
  const language = languageFor(reply)
  const render = (nonce: string) => renderMessagePage({ language, nonce, message })
  return sendPage(reply.code(refusal.status), render, [], shared)
}
