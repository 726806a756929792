import { useEffect, useState } from 'preact/hooks'
import { useLanguage } from './languages.tsx'

type Translate = (sentence: string) => string
/** Returns the sentence in English. A regular expression, which users cannot read, is removed from it. */
const inEnglish: Translate = (sentence) =>
  sentence.replace(/^must match the pattern .*/s, 'has an invalid format')

/**
 * Returns a function that translates the API's English refusals into the user's language. French translations
 * are loaded on demand.
 */
export function useRefusalTranslation(): Translate {
  const { language } = useLanguage()
  const [translate, setTranslate] = useState<Translate>(() => inEnglish)
  useEffect(() => {
    if (language === 'en') return setTranslate(() => inEnglish)
    import('./refusals-fr.ts').then(
      ({ inFrench }) => setTranslate(() => inFrench),
      // If French cannot be loaded, the sentences stay in English.
      () => {},
    )
  }, [language])
  return translate
}
