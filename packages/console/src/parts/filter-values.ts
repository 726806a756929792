import { useSearchParams } from 'wouter-preact'
import { useCurrentSpace } from '../api/scope.tsx'
import { parseMoney } from '../text/format.tsx'
import { parsePhone } from '../text/phones.ts'
import { useCurrencies } from './country.ts'

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

/** Returns whether the value is empty or a date. Users enter dates, but links may also contain a date and time. */
export const isDay = (value: string) => !value.includes('T')

/** Returns whether a text can be an amount. A phone number cannot: it begins with 0 or +. */
export const isAmountText = (text: string) => /^[1-9][\d.,\s]{0,11}$/.test(text)

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
