import { useId } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { useCurrentSpace } from '../api/scope.tsx'
import { parseMoney } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'
import { parsePhone } from '../text/phones.ts'
import { useWords } from '../text/words.ts'
import { choicesOf, useCurrencies } from './country.ts'
import { optionsOf } from './field.tsx'

const useTexts = createTexts({ any: 'Any' }, { any: 'Tous' })

/** A list filter. `name` is the name of its parameter, both in the API query and in the page URL. */
export type Filter = {
  name: string
  label: string
  /** Labels of the options by value. If omitted, the user types the value. */
  choices?: Record<string, string>
  type?: 'search' | 'date' | 'tel' | 'amount'
  /** Placeholder of the field. */
  hint?: string
}

export function FilterControl({ filter, value }: { filter: Filter; value: string }) {
  const { name, label, choices, type } = filter
  const { any } = useTexts()
  const id = useId()
  return (
    <div>
      <label for={id}>{label}</label>
      {choices ? (
        <select
          id={id}
          name={name}
          defaultValue={value}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
        >
          <option value="">{any}</option>
          {optionsOf(withValue(choices, value))}
        </select>
      ) : (
        <span class="together">
          <TypedFilter id={id} filter={filter} value={value} />
          {type === 'amount' && <FilteredCurrency />}
        </span>
      )}
    </div>
  )
}

/**
 * Adds the current value to the options if it is missing, because a URL may contain an option that no longer
 * exists.
 */
const withValue = (choices: Record<string, string>, value: string) =>
  value in choices || value === '' ? choices : { ...choices, [value]: value }

/** A filter whose value the user types. The browser validates it before submission. */
function TypedFilter({ id, filter, value }: { id: string; filter: Filter; value: string }) {
  const { name, type = 'search', hint } = filter
  const isMoment = type === 'date' && !isDay(value)
  const { notAPhone, notAnAmount } = useWords()
  const read = useFilterReader(null)
  const validate = (input: HTMLInputElement) => {
    const currency = input.form?.querySelector<HTMLSelectElement>('.currency')?.value
    const isBad = input.value.trim() !== '' && read(type, input.value, currency) === undefined
    input.setCustomValidity(isBad ? (type === 'tel' ? notAPhone : notAnAmount) : '')
  }
  return (
    <input
      id={id}
      name={name}
      type={type === 'amount' ? 'text' : isMoment ? 'datetime-local' : type}
      {...(type === 'amount' && { inputMode: 'decimal' as const })}
      {...(hint && { placeholder: hint })}
      defaultValue={isMoment ? localMoment(value) : value}
      maxLength={255}
      onInput={(event) => validate(event.currentTarget)}
    />
  )
}

/** Returns whether the value is empty or a date. Users enter dates, but links may also contain a date and time. */
export const isDay = (value: string) => !value.includes('T')

/** Formats a time for a `datetime-local` field, in the reader's time zone and without seconds. */
function localMoment(value: string): string {
  const at = new Date(value)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 'yyyy-mm-ddThh:mm'.length)
}

/** A currency menu next to an amount, shown only if there is more than one currency. */
function FilteredCurrency() {
  const [search] = useSearchParams()
  const { currency } = useWords()
  const currencies = useCurrencies()
  if (currencies.length < 2) return null
  const initial = search.get('currency') ?? currencies[0]
  return (
    <select class="currency" name="currency" aria-label={currency} defaultValue={initial}>
      {optionsOf(choicesOf(currencies))}
    </select>
  )
}

/**
 * Returns a function that converts typed values for the API. It returns `undefined` if a value is not valid for
 * its type.
 */
export function useFilterReader(chosenCurrency: string | null) {
  const { country } = useCurrentSpace().space
  const [first = 'USD'] = useCurrencies()
  return (type: Filter['type'], text: string, currency = chosenCurrency ?? first): string | undefined => {
    if (type === 'tel') return parsePhone(text, country)
    if (type === 'amount') return parseMoney(text, currency)?.toString()
    return text
  }
}
