export const languages = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof languages
export type Texts<T> = Record<Language, T>

/** Combines texts in English and French. */
export const inLanguages = <T>(en: T, fr: NoInfer<T>): Texts<T> => ({ en, fr })
