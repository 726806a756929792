import { formatMoney } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { showId } from '../../platform/ids.ts'
import { sendPage } from '../checkout/page-responses.ts'
import { formatTime } from '../checkout/pages/language.ts'
import { languageFor } from '../checkout/payer-cookies.ts'
import { linkIds } from '../checkout/resources.ts'
import { formatDialString } from '../payment-codes/payment-codes.ts'
import { selectPosterCode } from '../payment-codes/store.ts'
import { methodsOf } from './methods.ts'
import { endedState, merchantOf, showLink } from './page-views.ts'
import { renderPoster } from './pages/poster-page.ts'
import { amountOf, isOpen, isPast, linkUrl } from './payment-links.ts'
import type { LinkPageParts, LinkVisit } from './visits.ts'

/**
 * Sends the poster of a link for printing. A poster of a link that will never be paid again must not be
 * printed, but a paused link may get its poster before it is opened.
 */
export async function sendPoster(parts: LinkPageParts, visit: LinkVisit, reply: FastifyReply) {
  const { scope, link, space, brand, now } = visit
  if (!isOpen(link) || isPast(link, now) || space.suspendedAt !== null)
    return showLink(parts, visit, reply, endedState(visit))
  const language = languageFor(parts, reply.request)
  const { currency, lineItems, minimum, maximum } = link
  const money = (value: bigint) => formatMoney({ currency, value }, language)
  const bound = (value: bigint | null) => (value === null ? null : money(value))
  const time = (at: Date) => formatTime(at, language, timeZoneOf(space.country))
  const amount = lineItems && amountOf(lineItems)
  const code = await selectPosterCode(
    parts.db,
    scope,
    { reference: showId(linkIds, link.id), currency, amount },
    now,
  )
  return sendPage(reply, language, (nonce) =>
    renderPoster({
      language,
      nonce,
      ...merchantOf(visit),
      name: link.name,
      description: link.description,
      amount: bound(amount),
      hasQuantity: link.quantityMaximum !== null,
      low: bound(minimum),
      high: bound(maximum),
      brand: link.primaryColor ?? brand.color,
      environment: scope.environment,
      url: linkUrl(parts, scope, link),
      address: link.address,
      expires: link.expiresAt && time(link.expiresAt),
      dial: code
        ? {
            text: formatDialString(parts.settings.ussdShortCode, code.number),
            expires: time(code.expiresAt),
          }
        : null,
      methods: methodsOf(parts, visit, language),
    }),
  )
}
