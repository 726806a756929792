import { findCountry, formatMoney, must } from '@pesewa/values'
import { examplePhone } from '@pesewa/values/phones'
import type { FastifyReply } from 'fastify'
import { compressSharedPart } from '../../platform/http/server/compression.ts'
import { maskPhone } from '../../platform/masks.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { Brand } from '../../tenants/spaces/brands.ts'
import type { Space } from '../../tenants/spaces/store.ts'
import { chooseState } from './page-choice.ts'
import { sendPage } from './page-responses.ts'
import { supportDetails } from './page-state.ts'
import { previewStyles } from './pages/assets.ts'
import type { Language } from './pages/language.ts'
import { renderCheckoutPage } from './pages/render.ts'
import type { CheckoutState } from './pages/view.ts'
import { findOffers } from './payment-options.ts'

export const previewStates = ['choose', 'waiting', 'paid'] as const

/** Where the links of a preview lead. The response has no content, so the preview stays as it is. */
export const nowhere = '/previews/nowhere'

type Preview = {
  scope: Scope
  space: Space
  /** The brand to show, which may not have been saved. */
  brand: Brand
  /** Path of the logo, or an unsaved logo as a `data:` URL. */
  logo: string | undefined
  /** Name of the order that the page asks the payer to pay. */
  order: string
  state: (typeof previewStates)[number]
  scheme: keyof typeof previewStyles
  language: Language
  now: Date
}

const shared = {
  light: compressSharedPart(previewStyles.light),
  dark: compressSharedPart(previewStyles.dark),
}

const sampleAmount = 150_000n // in minor units
const sampleMs = 3_600_000 // time until the previewed session expires

/** Sends the payment page of a session that does not exist, with this brand. It can be framed by our own pages. */
export function sendPreview(parts: Providers, reply: FastifyReply, preview: Preview) {
  const { space, brand, logo, order, scheme, language, scope } = preview
  const { code: currency } = must(findCountry(space.country), 'country of a Space').currency
  const total = formatMoney({ currency, value: sampleAmount }, language)
  const view = {
    language,
    path: nowhere,
    merchant: brand.name ?? space.name,
    ...(logo && { logo }),
    ...supportDetails(brand),
    name: order,
    orderNumber: '482915037264',
    total,
    items: [{ name: order, quantity: 1, price: total, total }],
    ...(brand.color && { brand: brand.color }),
    environment: scope.environment,
    state: stateOf(parts, preview, currency),
    scheme,
  }
  return sendPage(reply, language, (nonce) => renderCheckoutPage({ ...view, nonce }), [], shared[scheme], {
    isPreview: true,
  })
}

function stateOf(parts: Providers, preview: Preview, currency: string): CheckoutState {
  const { scope, space, state, language, now } = preview
  if (state === 'paid') return { kind: 'paid', receiptUrl: nowhere }
  const offers = findOffers(parts, scope, { paymentOptions: {}, currency }, space.country)
  if (state === 'choose')
    return chooseState({
      key: 'preview',
      space,
      session: { expiresAt: new Date(now.getTime() + sampleMs) },
      offers,
      language,
      formToken: '',
      attempt: undefined,
      isTheirs: false,
      remembered: undefined,
    })
  const provider = offers[0]?.provider
  return {
    kind: 'waiting',
    type: provider?.type ?? 'momo',
    provider: provider?.name ?? '',
    account: maskPhone(examplePhone(space.country)?.replaceAll(' ', '') ?? ''),
    anotherUrl: nowhere,
    statusUrl: nowhere,
    waitUrl: nowhere,
  }
}
