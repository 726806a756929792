import { currencies } from './currencies.ts'
import { useLanguage } from './languages.tsx'
import type { Language } from './texts.ts'

export type Amount = { currency: string; value: number }

const digitsOf = (currency: string) => currencies[currency]?.digits ?? 2

/** `Le 1,500.00`, in French `1 500,00 Le`: as payers see it. */
function formatMoney({ currency, value }: Amount, language: Language): string {
  const digits = digitsOf(currency)
  const text = String(Math.abs(value)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits)
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, language === 'fr' ? ' ' : ',')
  const { symbol, frenchSymbol = symbol } = currencies[currency] ?? { symbol: currency }
  const sign = value < 0 ? '-' : ''
  if (language === 'fr') return `${sign}${grouped}${fraction && `,${fraction}`} ${frenchSymbol}`
  // `K1` and `GH₵1`, but `Le 1`: words stand apart.
  const space = symbol.length === 1 || /\p{Sc}$/u.test(symbol) ? '' : ' '
  return `${sign}${symbol}${space}${grouped}${fraction && `.${fraction}`}`
}

/** Whole minor units from what people type, `1,500.5` or `1500,50`; `undefined` where it is no amount of the currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency)
  const plain = text.trim().replace(/[\s\u00a0\u202f']/g, '')
  // A comma or a point before one or two last digits is the decimal one, the others group thousands.
  const [, whole = '', fraction = ''] = /^(\d{1,3}(?:[.,]?\d{3})*|\d+)(?:[.,](\d{1,2}))?$/.exec(plain) ?? []
  if (whole === '' || fraction.length > digits) return undefined
  const value = Number(whole.replace(/[.,]/g, '') + fraction.padEnd(digits, '0'))
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** As somebody would type it. */
export function typedMoney({ currency, value }: Amount): string {
  const digits = digitsOf(currency)
  const text = String(value).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

export function useMoney(): (amount: Amount) => string {
  const { language } = useLanguage()
  return (amount) => formatMoney(amount, language)
}

const timeFormats = new Map<string, Intl.DateTimeFormat>()
const timeFormat = (language: Language, style: 'short' | 'full') => {
  const key = `${language} ${style}`
  const options: Intl.DateTimeFormatOptions =
    style === 'short'
      ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' }
  const format = timeFormats.get(key) ?? new Intl.DateTimeFormat(language, options)
  timeFormats.set(key, format)
  return format
}

/** In the reader's own time zone; in full when it is pointed at. */
export function Time({ at }: { at: string | null | undefined }) {
  const { language } = useLanguage()
  if (!at) return <>–</>
  const date = new Date(at)
  return (
    <time dateTime={at} title={timeFormat(language, 'full').format(date)}>
      {timeFormat(language, 'short').format(date)}
    </time>
  )
}

export function Money({ of }: { of: Amount }) {
  return <span class="money">{useMoney()(of)}</span>
}
