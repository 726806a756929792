export const languages = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof languages
export type Texts<T> = Record<Language, T>

/** The words of a page: each language has the same ones. */
export const inLanguages = <T>(en: T, fr: NoInfer<T>): Texts<T> => ({ en, fr })
