import { type Language, locales } from './language.ts'

/** Formats a day, such as `3 May 2026`. */
export const formatDay = (at: Date, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone }).format(at)

/** Formats a time of day with its time zone, such as `14:30:05 GMT`. */
export const formatClock = (at: Date, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(locales[language], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  })
    .format(at)
    // The French locale writes the time zone UTC as UTC+0.
    .replace(/UTC\+0$/, 'UTC')
