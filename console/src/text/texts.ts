export const languages = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof languages
export type Texts<T> = Record<Language, T>

/** The texts of a page, with the same keys in each language. */
export const inLanguages = <T>(en: T, fr: NoInfer<T>): Texts<T> => ({ en, fr })
