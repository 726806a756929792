import { useEffect, useState } from 'preact/hooks'
import { useLanguage } from './languages.tsx'

type Translate = (sentence: string) => string
/** Returns the English message, with what only developers understand replaced by plain words. */
const inEnglish: Translate = (sentence) =>
  sentence
    .replace(/^must match the pattern .*/s, 'has an invalid format')
    .replace(/^leaves no payment method .*/, 'no connected provider accepts this currency')

/**
 * Returns a function that translates the API's English error messages into the user's language. French
 * translations are loaded on demand.
 */
export function useRefusalTranslation(): Translate {
  const { language } = useLanguage()
  const [translate, setTranslate] = useState<Translate>(() => inEnglish)
  useEffect(() => {
    if (language === 'en') return setTranslate(() => inEnglish)
    import('./refusals-fr.ts').then(
      ({ inFrench }) => setTranslate(() => inFrench),
      // If the French translations cannot be loaded, the messages stay in English.
      () => {},
    )
  }, [language])
  return translate
}
