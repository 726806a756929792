import { useState } from 'preact/hooks'
import { useWords } from '../text/words.ts'
import { choicesOf, useCurrencies } from './country.ts'
import { ChoiceField } from './form.tsx'

/**
 * Returns the currency of a form and a field to change it. The field is shown only if there is more than one
 * currency to choose from.
 */
export function useCurrency(): [currency: string, field: preact.JSX.Element | null] {
  const t = useWords()
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
