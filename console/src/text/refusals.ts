import { useEffect, useState } from 'preact/hooks'
import { useLanguage } from './languages.tsx'

type Translate = (sentence: string) => string
/** Patterns are for programs. */
const inEnglish: Translate = (sentence) =>
  sentence.replace(/^must match the pattern .*/s, 'has an invalid format')

/** What turns sentences of the API, which are English, into the reader's language. The French ones come when they are needed. */
export function useRefusalWords(): Translate {
  const { language } = useLanguage()
  const [translate, setTranslate] = useState<Translate>(() => inEnglish)
  useEffect(() => {
    if (language === 'en') return setTranslate(() => inEnglish)
    import('./refusals-fr.ts').then(
      ({ inFrench }) => setTranslate(() => inFrench),
      // English is better than nothing.
      () => {},
    )
  }, [language])
  return translate
}
