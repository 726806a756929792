import { hasKey, keysOf } from '@pesewa/values'
import { createCache } from '../../../platform/cache.ts'
import { acceptedValues } from '../../../platform/http/lists/accept.ts'
import { texts } from './texts.ts'

export type Language = keyof typeof texts

/** Returns the supported language that the browser prefers. Defaults to English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  for (const tag of acceptedValues(acceptLanguage)) {
    const [language = ''] = tag.split('-')
    if (hasKey(texts, language)) return language
  }
  return 'en'
}

export const languages = keysOf(texts)
/** The languages' own names. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  kri: 'Krio',
  sw: 'Kiswahili',
  pt: 'Português',
}
/**
 * Locales for numbers and dates. The English-speaking countries that we serve use British English; there is no
 * locale for Krio, which is spoken in one of them.
 */
export const locales: Record<Language, string> = {
  en: 'en-GB',
  fr: 'fr',
  kri: 'en-GB',
  sw: 'sw',
  pt: 'pt-PT',
}
const each = <T>(make: (locale: string) => T): Record<Language, T> => ({
  en: make(locales.en),
  fr: make(locales.fr),
  kri: make(locales.kri),
  sw: make(locales.sw),
  pt: make(locales.pt),
})

const numbers = each((locale) => new Intl.NumberFormat(locale))
const regions = each((locale) => new Intl.DisplayNames(locale, { type: 'region' }))
// There is at most one formatter per language and time zone.
const times = new Map<string, Intl.DateTimeFormat>()

export const formatNumber = (value: number, language: Language) => numbers[language].format(value)
export const countryName = (code: string, language: Language) => regions[language].of(code) ?? code

/** Times that were formatted recently, by language, time zone and minute. Formatting one takes 5 µs. */
const recentTimes = createCache<string, string>({ max: 1_000 })

/** Formats a time with its time zone, because the payer's time zone is unknown. */
export function formatTime(time: Date, language: Language, timeZone: string): string {
  const zone = `${language} ${timeZone}`
  const minute = `${zone} ${time.toISOString().slice(0, '2026-11-27T14:30'.length)}`
  const recent = recentTimes.get(minute)
  if (recent) return recent
  const format = times.get(zone) ?? newFormat(language, timeZone)
  times.set(zone, format)
  // The French locale writes the time zone UTC as UTC+0.
  const text = format.format(time).replace(/UTC\+0$/, 'UTC')
  recentTimes.set(minute, text)
  return text
}

const newFormat = (language: Language, timeZone: string) =>
  new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  })
