import { Plus, X } from 'lucide-preact'
import { useId, useRef } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { useCurrentSpace } from '../api/scope.tsx'
import { parseMoney } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'
import { parsePhone } from '../text/phones.ts'
import { useWords } from '../text/words.ts'
import { choicesOf, useCurrencies } from './country.ts'
import { optionsOf } from './field.tsx'
import { Popover } from './popover.tsx'

const useTexts = createTexts(
  {
    remove: (label: string) => `Remove filter: ${label}`,
    set: (label: string, value: string) => `${label}: ${value}`,
  },
  {
    remove: (label: string) => `Retirer le filtre : ${label}`,
    set: (label: string, value: string) => `${label} : ${value}`,
  },
)

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

/** Sets or removes parameters of the URL. Parameters that are not listed stay as they are. */
export function useSetParams(): (values: Record<string, string | undefined>) => void {
  const [, setSearch] = useSearchParams()
  return (values) =>
    setSearch((before) => {
      const set = new URLSearchParams(before)
      for (const [name, value] of Object.entries(values)) {
        if (value) set.set(name, value)
        else set.delete(name)
      }
      return set
    })
}

type Props = { filter: Filter; value: string }

/** A filter as a button that shows its value, with another button that removes it. */
export function FilterControl({ filter, value }: Props) {
  const setParams = useSetParams()
  const t = useTexts()
  const { name, label } = filter
  const remove = () =>
    setParams({ [name]: undefined, ...(filter.type === 'amount' && { currency: undefined }) })
  return (
    <span class={value ? 'chip set' : 'chip'}>
      {filter.choices ? <ChoiceFilter {...{ filter, value }} /> : <TypedFilter {...{ filter, value }} />}
      {value && (
        <button type="button" class="remove" aria-label={t.remove(label)} onClick={remove}>
          <X size={16} />
        </button>
      )}
    </span>
  )
}

function ChoiceFilter({ filter: { name, label, choices = {} }, value }: Props) {
  const setParams = useSetParams()
  return (
    <select
      name={name}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => setParams({ [name]: currentTarget.value })}
    >
      <option value="">{label}</option>
      {optionsOf(withValue(choices, value))}
    </select>
  )
}

/**
 * Adds the current value to the options if it is missing, because a URL may contain an option that no longer
 * exists.
 */
const withValue = (choices: Record<string, string>, value: string) =>
  value in choices || value === '' ? choices : { ...choices, [value]: value }

function TypedFilter({ filter, value }: Props) {
  const t = useTexts()
  const { label } = filter
  const content = value ? (
    t.set(label, value)
  ) : (
    <>
      <Plus size={16} />
      {label}
    </>
  )
  return <Popover label={content}>{(close) => <TypedField {...{ filter, value, close }} />}</Popover>
}

/** A field for the value of a filter, which takes effect when the user presses Enter or leaves the field. */
function TypedField({
  filter: { name, label, type = 'search', hint },
  value,
  close,
}: Props & { close(): void }) {
  const id = useId()
  const currency = useRef<HTMLSelectElement>(null)
  const { notAPhone, notAnAmount } = useWords()
  const setParams = useSetParams()
  const read = useFilterReader(null)
  const apply = (input: HTMLInputElement) => {
    const text = input.value.trim()
    const isBad = text !== '' && read(type, text, currency.current?.value) === undefined
    input.setCustomValidity(isBad ? (type === 'tel' ? notAPhone : notAnAmount) : '')
    if (!input.reportValidity()) return
    // A currency alone is not a filter.
    const money = type === 'amount' ? { currency: text ? currency.current?.value : undefined } : {}
    setParams({ [name]: text, ...money })
    close()
  }
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <label for={id}>{label}</label>
      <span class="together">
        <input
          id={id}
          ref={input}
          name={name}
          type={type === 'amount' ? 'text' : type}
          {...(type === 'amount' && { inputMode: 'decimal' as const })}
          {...(hint && { placeholder: hint })}
          defaultValue={value}
          maxLength={255}
          onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
          onChange={({ currentTarget }) => apply(currentTarget)}
        />
        {type === 'amount' && <FilteredCurrency at={currency} />}
      </span>
    </>
  )
}

/** Returns whether the value is empty or a date. Users enter dates, but links may also contain a date and time. */
export const isDay = (value: string) => !value.includes('T')

/** A currency menu next to an amount, shown only if there is more than one currency. */
function FilteredCurrency({ at }: { at: { current: HTMLSelectElement | null } }) {
  const [search] = useSearchParams()
  const { currency } = useWords()
  const setParams = useSetParams()
  const currencies = useCurrencies()
  if (currencies.length < 2) return null
  const initial = search.get('currency') ?? currencies[0]
  return (
    <select
      class="currency"
      ref={at}
      aria-label={currency}
      onChange={({ currentTarget }) => search.has('amount') && setParams({ currency: currentTarget.value })}
    >
      {optionsOf(choicesOf(currencies), initial)}
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
