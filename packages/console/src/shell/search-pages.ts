import type { FoundObject } from '../api/search.ts'
import { hasPath, placeOf, sections } from '../parts/addresses.ts'
import { useCurrencies } from '../parts/country.ts'
import { isAmountText } from '../parts/filter-values.ts'
import { moneyInputValue, parseMoney, useMoney } from '../text/format.tsx'
import { useLanguage } from '../text/languages.tsx'
import { useTabs } from './menu.tsx'
import { useSearchTexts } from './search-texts.ts'

export type FoundPage = { path: string; name: string; section: string }

/**
 * Returns the pages that match all words of a text: by their own name first, then by the name of their section,
 * and last by other words for them.
 */
export function useMatchingPages(text: string): FoundPage[] {
  const { language } = useLanguage()
  const { otherWords } = useSearchTexts()
  const tabsOf = useTabs()
  const words = folded(text).split(/\s+/).filter(Boolean)
  const matches = (name: string) => words.every((word) => ` ${folded(name)}`.includes(` ${word}`))
  const pages = sections.flatMap((section) => {
    const above = section.label[language]
    return tabsOf(section).map(({ path, label }) => {
      const name = label?.[language] ?? ''
      return { path, name, section: above === name ? '' : above }
    })
  })
  const ranked = [
    pages.filter(({ name }) => matches(name)),
    pages.filter(({ name, section }) => matches(`${name} ${section}`)),
    pages.filter(({ name, path }) => matches(`${name} ${otherWords[path] ?? ''}`)),
  ]
  return [...new Set(ranked.flat())]
}

/** Removes case and accents, which people often omit when they search. */
const folded = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’']/g, ' ').toLowerCase()

/** The lists that can be filtered by amount, by the type of their objects. */
const amountLists = { payment: '/payments', payout: '/payouts', refund: '/refunds' } as const

/**
 * Returns the lists of everything with an amount, if the text is one and objects with it were found, because the
 * search shows only the latest of them.
 */
export function useAmountLists(text: string, found: FoundObject[]): FoundPage[] {
  const t = useSearchTexts()
  const money = useMoney()
  const { language } = useLanguage()
  const [currency = ''] = useCurrencies()
  const value = isAmountText(text) ? parseMoney(text, currency) : undefined
  if (value === undefined) return []
  const amount = { currency, value }
  return Object.entries(amountLists).flatMap(([type, path]) => {
    if (!found.some((one) => one.type === type && one.amount?.value === value)) return []
    const tab = placeOf(path)?.section.pages.find((address) => hasPath(address, path))
    if (!tab?.label) return []
    const name = t.allOf(tab.label[language], money(amount))
    return [{ path: `${path}?amount=${moneyInputValue(amount)}`, name, section: '' }]
  })
}
