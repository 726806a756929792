import { useEffect, useId, useRef } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { useWords } from '../text/words.ts'
import { choicesOf, useCurrencies } from './country.ts'
import { optionsOf } from './field.tsx'
import { type FilterProps, useFilterReader, useSetParams } from './filter-values.ts'

/** A field for the value of a filter, which takes effect when the user presses Enter or leaves the field. */
export default function TypedField({
  filter: { name, label, type = 'search', hint },
  value,
  close,
}: FilterProps & { close(): void }) {
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
  useEffect(() => input.current?.focus(), [])
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
