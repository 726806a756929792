import { formatMoney, symbolOf } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { compressSharedPart } from '../../platform/http/server/compression.ts'
import { logoPath } from '../../tenants/spaces/brands.ts'
import { sendPage } from '../checkout/page-responses.ts'
import { supportDetails } from '../checkout/page-state.ts'
import { languageFor, languageLinks } from '../checkout/payer-cookies.ts'
import { methodsOf } from './methods.ts'
import { type LinkEntries, type LinkIssue, maxReferenceLength } from './opening.ts'
import { type LinkPageState, renderLinkPage, styles } from './pages/link-page.ts'
import { amountOf, isPast, linkUrl } from './payment-links.ts'
import type { LinkPageParts, LinkVisit } from './visits.ts'

const shared = compressSharedPart(styles)

/** Sends the page of a link in a state. */
export function showLink(parts: LinkPageParts, visit: LinkVisit, reply: FastifyReply, state: LinkPageState) {
  const { scope, link, brand } = visit
  // The QR code is for opening the page on a phone, so it is not needed on a phone.
  const isPhone = /Mobi/.test(reply.request.headers['user-agent'] ?? '')
  const language = languageFor(parts, reply.request)
  const render = (nonce: string) =>
    renderLinkPage({
      language,
      nonce,
      languages: languageLinks(reply.request),
      ...merchantOf(visit),
      name: link.name,
      description: link.description,
      brand: link.primaryColor ?? brand.color,
      environment: scope.environment,
      address: isPhone ? undefined : linkUrl(parts, scope, link),
      state,
    })
  return sendPage(reply, language, render, [], shared)
}

/** Returns what a link's pages show of its merchant. */
export const merchantOf = ({ scope, space, brand }: LinkVisit) => ({
  merchant: brand.name ?? space.name,
  logo: brand.logoId && logoPath(scope, brand.logoId),
  ...supportDetails(brand),
})

/** Returns the reason why a link cannot be paid now. */
export function endedState({ link, space, now }: LinkVisit): LinkPageState {
  if (space.suspendedAt !== null) return { kind: 'ended', why: 'suspended' }
  if (link.status !== 'active') return { kind: 'ended', why: link.status }
  return { kind: 'ended', why: isPast(link, now) ? 'expired' : 'busy' }
}

/** Returns the form of a link, with the payer's entries and their issues. */
export function formState(
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
    methods: methodsOf(parts, visit, language),
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

/** Returns a CSRF token that ties a form to the page of its link. */
export const formTokenOf = ({ seals }: LinkPageParts, { key }: LinkVisit) =>
  seals.tag('payment link form', key)
