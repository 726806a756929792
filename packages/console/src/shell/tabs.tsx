import { useEffect, useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { placeOf } from '../parts/addresses.ts'
import { useLanguage } from '../text/languages.tsx'
import { useTabs } from './menu.tsx'

/** Links to the pages of the current section. The installation lists its pages in its menu instead. */
export function Tabs() {
  const { language } = useLanguage()
  const [location] = useLocation()
  const tabsOf = useTabs()
  const strip = useRef<HTMLElement>(null)
  const place = placeOf(location)
  const path = place?.tab?.path
  // On narrow screens, the strip scrolls. `scrollIntoView` would scroll the page, too.
  useEffect(() => {
    const current = strip.current?.querySelector<HTMLElement>('[aria-current]')
    if (strip.current && current) strip.current.scrollLeft = current.offsetLeft - current.offsetWidth / 2
  }, [path])
  if (!place || place.section.id === 'installation') return null
  const tabs = tabsOf(place.section)
  if (tabs.length < 2) return null
  return (
    <nav class="tabs" ref={strip} aria-label={place.section.label[language]}>
      {tabs.map(({ path, label }) => (
        <Link key={path} href={path} aria-current={path === place.tab?.path ? 'page' : undefined}>
          {label?.[language]}
        </Link>
      ))}
    </nav>
  )
}
