import { useCurrentSpace } from '../api/scope.tsx'
import { countries } from '../text/countries.ts'
import { ChoiceField } from './form.tsx'

/** Returns the currencies used in the Space's country, with its default currency first. */
export const useCurrencies = (): string[] => countries[useCurrentSpace().space.country]?.currencies ?? ['USD']

type Props = { label: string; initial: string; onChange?(currency: string): void }

const choicesOf = (currencies: string[]) => Object.fromEntries(currencies.map((code) => [code, code]))

/** A form field for the currency, shown only if there is more than one to choose from. */
export function CurrencyField(props: Props) {
  const currencies = useCurrencies()
  if (currencies.length < 2) return null
  return <ChoiceField name="currency" choices={choicesOf(currencies)} {...props} />
}

/** A currency menu next to an amount filter, shown only if there is more than one currency. */
export function CurrencyFilter({ label, initial }: Props) {
  const currencies = useCurrencies()
  if (currencies.length < 2) return null
  return (
    <select class="currency" name="currency" aria-label={label} defaultValue={initial}>
      {currencies.map((code) => (
        <option value={code} key={code}>
          {code}
        </option>
      ))}
    </select>
  )
}
