import { loadSheet } from '@pesewa/pages'
import { Eta } from 'eta'
import { brandColors } from '../../checkout/pages/color.ts'
import type { Language } from '../../checkout/pages/language.ts'
import { monogram, unbroken } from '../../checkout/pages/parts.ts'
import { qrCode } from '../../checkout/pages/qr.ts'
import type { Help } from '../../checkout/pages/view.ts'
import { boundsOf } from './link-page.ts'
import { linkTexts } from './link-texts.ts'

/** Contents of a poster. Amounts and times are formatted. */
export type PosterView = {
  language: Language
  nonce: string
  merchant: string
  logo: string | null
  name: string
  description: string | null
  /** Null if the payer enters the amount, between `low` and `high` if these are set. */
  amount: string | null
  low: string | null
  high: string | null
  /** True if the payer chooses how many times to pay the amount. */
  hasQuantity: boolean
  /** In the form `#RGB` or `#RRGGBB`. */
  brand: string | null
  environment: 'test' | 'live'
  url: string
  /** The link's short address; null if it has none. */
  address: string | null
  expires: string | null
  /** The code that people without internet dial to pay the same amount, and when it expires. */
  dial: { text: string; expires: string } | null
  methods: string[]
} & Help

const styles = loadSheet(import.meta.url, 'poster.css')

// Escaping is the default in Eta; it is set explicitly because the page's safety depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

export function renderPoster(view: PosterView): string {
  const t = linkTexts[view.language]
  return eta.render('./poster', {
    ...view,
    t,
    styles,
    colors: brandColors(view.brand ?? undefined),
    monogram: monogram(view.merchant),
    amount: view.amount && unbroken(view.amount),
    bounds: boundsOf(view, t),
    nameSize: view.name.length > 40 ? 'long' : '',
    amountSize: view.amount && view.amount.length > 14 ? 'long' : '',
    qr: qrCode(view.url),
    typed: typedOf(view.url, view.address),
  })
}

/** Returns the parts of a URL that people type. Nobody types a URL without a short address. */
function typedOf(url: string, address: string | null) {
  const path = address !== null && url.slice(0, -address.length).replace(/^https?:\/\//, '')
  return path ? { path, address } : null
}
