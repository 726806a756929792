import { hasKey, keysOf } from '../../platform/fields.ts'
import { acceptedBy } from '../../platform/http/accept.ts'
import { texts } from './texts.ts'

export type Language = keyof typeof texts

/** The one that a browser prefers of those we have; English where it names none. */
export function languageOf(acceptLanguage: string | undefined): Language {
  for (const tag of acceptedBy(acceptLanguage)) {
    const [language = ''] = tag.split('-')
    if (hasKey(texts, language)) return language
  }
  return 'en'
}

export const languages = keysOf(texts)
// The English of our markets is not America's.
const locales = { en: 'en-GB', fr: 'fr' } as const satisfies Record<Language, string>
const each = <T>(make: (locale: string) => T): Record<Language, T> => ({
  en: make(locales.en),
  fr: make(locales.fr),
})

const numbers = each((locale) => new Intl.NumberFormat(locale))
const regions = each((locale) => new Intl.DisplayNames(locale, { type: 'region' }))
// As many as there are languages and time zones of countries.
const times = new Map<string, Intl.DateTimeFormat>()

export const formatNumber = (value: number, language: Language) => numbers[language].format(value)
export const countryName = (code: string, language: Language) => regions[language].of(code) ?? code

/** In a time zone, which is named: the payer's own is not known. */
export function formatTime(time: Date, language: Language, timeZone: string): string {
  const key = `${language} ${timeZone}`
  const format = times.get(key) ?? newFormat(language, timeZone)
  times.set(key, format)
  // French names this zone as an offset of nothing.
  return format.format(time).replace(/UTC\+0$/, 'UTC')
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
