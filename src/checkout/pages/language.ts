import { acceptedBy } from './accept.ts'
import { texts } from './texts.ts'

export type Language = keyof typeof texts

/** The language of ours that a browser likes best; English where it names none. */
export function languageOf(acceptLanguage: string | undefined): Language {
  for (const tag of acceptedBy(acceptLanguage)) {
    const [language = ''] = tag.split('-')
    if (Object.hasOwn(texts, language)) return language as Language
  }
  return 'en'
}

export const languages = Object.keys(texts) as Language[]
// The English of our markets is not America's.
const locales = { en: 'en-GB', fr: 'fr' } as const satisfies Record<Language, string>
const each = <T>(make: (locale: string) => T) =>
  Object.fromEntries(languages.map((language) => [language, make(locales[language])])) as Record<Language, T>

const numbers = each((locale) => new Intl.NumberFormat(locale))
const regions = each((locale) => new Intl.DisplayNames(locale, { type: 'region' }))
// Where the payer's clock stands nobody tells us: the zone is named.
const times = each(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }),
)

export const formatNumber = (value: number, language: Language) => numbers[language].format(value)
export const formatTime = (time: Date, language: Language) => times[language].format(time)
export const countryName = (code: string, language: Language) => regions[language].of(code) ?? code
