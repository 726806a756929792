import { useState } from 'preact/hooks'
import { useCurrentSpace } from '../api/scope.tsx'
import { countries } from '../text/countries.ts'
import { useTexts } from '../text/languages.tsx'
import { words } from '../text/words.ts'
import { ChoiceField } from './form.tsx'

/** Returns the currencies used in the Space's country, with its default currency first. */
export const useCurrencies = (): string[] => countries[useCurrentSpace().space.country]?.currencies ?? ['USD']

const choicesOf = (currencies: string[]) => Object.fromEntries(currencies.map((code) => [code, code]))

/**
 * Returns the currency of a form and a field to change it. The field is shown only if there is more than one
 * currency to choose from.
 */
export function useCurrency(): [currency: string, field: preact.JSX.Element | null] {
  const t = useTexts(words)
  const currencies = useCurrencies()
  const [currency, setCurrency] = useState(currencies[0] ?? 'USD')
  if (currencies.length < 2) return [currency, null]
  const choices = choicesOf(currencies)
  return [
    currency,
    <ChoiceField
      name="currency"
      label={t.currency}
      initial={currency}
      onChange={setCurrency}
      {...{ choices }}
    />,
  ]
}
