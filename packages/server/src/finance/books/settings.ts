import { type SettingsOf, setting } from '../../platform/config.ts'

/** The least number of months after which a month is archived, so that a year can be compared with the one before. */
export const minArchiveMonths = 13
const maxArchiveMonths = 1_200

export const settings = {
  archiveAfterMonths: setting(
    'ARCHIVE_AFTER',
    '24',
    `How many months after its end a month is archived, from ${minArchiveMonths} to ${maxArchiveMonths}. Default: never.`,
    (value) => {
      const months = Number(value)
      if (value === undefined) return undefined
      if (!/^\d+$/.test(value) || months < minArchiveMonths || months > maxArchiveMonths)
        throw new Error(`must be a whole number of months from ${minArchiveMonths} to ${maxArchiveMonths}`)
      return months
    },
  ),
} as const

export type BooksSettings = SettingsOf<typeof settings>
