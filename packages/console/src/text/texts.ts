export const languages = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof languages
export type Texts<T> = Record<Language, T>

/** Combines the English and French texts of a page. Both must have the same keys. */
export const inLanguages = <T>(en: T, fr: NoInfer<T>): Texts<T> => ({ en, fr })
