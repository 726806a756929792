import type { Providers } from '../../rails/providers/providers.ts'
import type { Language } from '../checkout/pages/language.ts'
import { findOffers } from '../checkout/payment-options.ts'
import { linkTexts } from './pages/link-texts.ts'
import type { LinkVisit } from './visits.ts'

/**
 * Returns the names of the payment methods that a link's payers can choose now, the most likely first. They are
 * those of the Space's country, if there are any. All banks together are one method, and so are all cards.
 */
export function methodsOf(parts: Providers, { scope, link, space }: LinkVisit, language: Language): string[] {
  const t = linkTexts[language].methods
  const offers = findOffers(parts, scope, link, space.country).filter(({ unavailable }) => !unavailable)
  // Cards are in the catalogue once, with the country of their rail, and can be used everywhere.
  const near = offers.filter(
    ({ provider: { type, country } }) => type === 'card' || country === space.country,
  )
  const names = (near.length > 0 ? near : offers).map(({ provider: { type, name } }) =>
    type === 'bank' || type === 'card' ? t[type] : name,
  )
  return [...new Set(names)]
}
