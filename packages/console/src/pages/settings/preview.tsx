import { useCurrentSpace } from '../../api/scope.tsx'
import { useCurrencies } from '../../parts/country.ts'
import { useLanguage } from '../../text/languages.tsx'
import { formatMoney } from '../../text/money.ts'
import { useTexts } from './texts.ts'

export type ShownBrand = {
  name: string
  color: string
  logo: string | null
  supportEmail: string
  supportPhone: string
  termsUrl: string
}

const standardColor = '#0f6b4f'

/** An approximate preview of the page that payers see. It is updated as the user types. */
export function Preview({ name, color, logo, supportEmail, supportPhone, termsUrl }: ShownBrand) {
  const t = useTexts()
  const { language } = useLanguage()
  const { space } = useCurrentSpace()
  const [currency = 'USD'] = useCurrencies()
  const total = formatMoney({ currency, value: 150_000 }, language)
  const brand = readColor(color) ?? standardColor
  const colors = { background: brand, color: isLight(brand) ? '#050505' : '#ffffff' }
  const merchant = name || space.name
  return (
    <figure class="preview">
      <figcaption>{t.preview}</figcaption>
      <div class="phone">
        <p class="merchant">
          {logo ? (
            <img src={logo} alt="" width={40} height={40} />
          ) : (
            <span class="monogram" style={colors} aria-hidden="true">
              {[...merchant][0]?.toUpperCase()}
            </span>
          )}
          <b>{merchant}</b>
        </p>
        <p class="amount">{total}</p>
        <p>{t.previewOrder}</p>
        <p class="pay" style={colors}>
          {t.pay(total)}
        </p>
        {(supportEmail || supportPhone) && (
          <p class="muted">
            {t.questions} {[supportEmail, supportPhone].filter(Boolean).join(' · ')}
          </p>
        )}
        {termsUrl && <p class="muted">{t.terms}</p>}
      </div>
    </figure>
  )
}

/**
 * Parses a hex color, such as `0f6b4f` or `#abc`, into the form `#rrggbb`. Returns `undefined` if the text is
 * not a color.
 */
export function readColor(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 6 ? digits : digits.replace(/./g, '$&$&')}`
}

/**
 * Returns whether black text on the color is easier to read than white text, based on the relative luminance
 * defined in WCAG 2.
 */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179
}
