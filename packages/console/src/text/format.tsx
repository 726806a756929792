import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useLanguage } from './languages.tsx'
import { type Amount, formatMoney, formatShort } from './money.ts'

export { type Amount, moneyInputValue, parseMoney } from './money.ts'

export function useMoney(): (amount: Amount) => string {
  const { language } = useLanguage()
  return (amount) => formatMoney(amount, language)
}

export function useShortMoney(): (amount: Amount) => string {
  const { language } = useLanguage()
  return (amount) => formatShort(amount, language)
}

const timeFormats = new Map<string, Intl.DateTimeFormat>()
const short = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const
const styles = {
  short,
  exact: { ...short, second: '2-digit' },
  full: { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

const timeFormat = (locale: string, style: keyof typeof styles) => {
  const key = `${locale} ${style}`
  const format = timeFormats.get(key) ?? new Intl.DateTimeFormat(locale, styles[style])
  timeFormats.set(key, format)
  return format
}

/** Returns the locale of dates: the reader's language as it is written in the country of the Space. */
export function useLocale(): string {
  const { language } = useLanguage()
  const country = useContext(CountryContext)
  return country ? `${language}-${country}` : language
}

/** Two-letter code of the Space's country, if a Space is open. */
export const CountryContext = createContext<string | undefined>(undefined)

type TimeProps = {
  at: string | null | undefined
  /** Whether to show seconds. */
  isExact?: boolean
}

/** Shows a time in the reader's time zone, with the full date and time on hover. */
export function Time({ at, isExact }: TimeProps) {
  const locale = useLocale()
  if (!at) return <>–</>
  const date = new Date(at)
  return (
    <time dateTime={at} title={timeFormat(locale, 'full').format(date)}>
      {timeFormat(locale, isExact ? 'exact' : 'short').format(date)}
    </time>
  )
}

/** Returns a function that formats a date such as `2026-11-20`, or a date and time. */
export function useDayFormat(): (text: string) => string {
  const locale = useLocale()
  return (text) => {
    const isDay = !text.includes('T')
    const date = new Date(isDay ? `${text}T00:00:00` : text)
    return Number.isNaN(date.getTime()) ? text : timeFormat(locale, isDay ? 'day' : 'short').format(date)
  }
}

export function Money({ of }: { of: Amount }) {
  return <span class="money">{useMoney()(of)}</span>
}
