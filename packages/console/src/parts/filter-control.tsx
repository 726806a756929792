import { Plus, X } from 'lucide-preact'
import { useSearchParams } from 'wouter-preact'
import { useCurrentSpace } from '../api/scope.tsx'
import { parseMoney } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'
import { parsePhone } from '../text/phones.ts'
import { Boundary, lazyComponent } from './code-loading.tsx'
import { useCurrencies } from './country.ts'
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

export type FilterProps = { filter: Filter; value: string }

/** A filter as a button that shows its value, with another button that removes it. */
export function FilterControl({ filter, value }: FilterProps) {
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

function ChoiceFilter({ filter: { name, label, choices = {} }, value }: FilterProps) {
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

const loadField = () => import('./typed-field.tsx')

function TypedFilter({ filter, value }: FilterProps) {
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
  const TypedField = lazyComponent(loadField, null)
  return (
    <Popover label={content}>
      {(close) => (
        <Boundary isOptional>
          <TypedField {...{ filter, value, close }} />
        </Boundary>
      )}
    </Popover>
  )
}

/** Returns whether the value is empty or a date. Users enter dates, but links may also contain a date and time. */
export const isDay = (value: string) => !value.includes('T')

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
