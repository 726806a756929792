import { useLanguage } from './languages.tsx'
import { type Amount, formatMoney, formatShort } from './money.ts'
import type { Language } from './texts.ts'

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

/** Shows a time in the reader's time zone, with the full date and time on hover. */
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
