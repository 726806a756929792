import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { inLanguages, type Language } from './texts.ts'

type Chosen = { language: Language; choose(language: Language): void }
const LanguageContext = createContext<Chosen>({ language: 'en', choose: () => {} })

const storedAs = 'pesewa.language'
const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'fr'

/** Returns the language that the user chose earlier in this browser or, by default, the language of the browser. */
function initialLanguage(): Language {
  const stored = localStorage.getItem(storedAs)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

export function LanguageProvider({ children }: { children: ComponentChildren }) {
  const [language, setLanguage] = useState(initialLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choose = (chosen: Language) => {
    localStorage.setItem(storedAs, chosen)
    setLanguage(chosen)
  }
  return <LanguageContext.Provider value={{ language, choose }}>{children}</LanguageContext.Provider>
}

export const useLanguage = () => useContext(LanguageContext)

/** Returns a hook that returns the texts in the user's language. Both languages must have the same keys. */
export const createTexts = <T,>(en: T, fr: NoInfer<T>): (() => T) => {
  const texts = inLanguages(en, fr)
  return () => texts[useLanguage().language]
}
