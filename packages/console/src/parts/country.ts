import { useCurrentSpace } from '../api/scope.tsx'
import { countries } from '../text/countries.ts'

/** Returns the currencies used in the Space's country, with its default currency first. */
export const useCurrencies = (): string[] => countries[useCurrentSpace().space.country]?.currencies ?? ['USD']

/** Returns an example of a phone number in the Space's country. */
export const usePhoneExample = (): string => countries[useCurrentSpace().space.country]?.example ?? ''

/** Returns the currencies as options of a select. */
export const choicesOf = (currencies: string[]) => Object.fromEntries(currencies.map((code) => [code, code]))
