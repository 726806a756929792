import { Link, useLocation } from 'wouter-preact'
import { placeOf } from '../parts/addresses.ts'
import { useScrolledStrip } from '../parts/scrolled-strip.ts'
import { useLanguage } from '../text/languages.tsx'
import { Badge } from './badge.tsx'
import { useTabs } from './menu.tsx'

/** Links to the pages of the current section. The installation lists its pages in its menu instead. */
export function Tabs() {
  const { language } = useLanguage()
  const [location] = useLocation()
  const tabsOf = useTabs()
  const place = placeOf(location)
  const strip = useScrolledStrip(place?.tab?.path)
  if (!place || place.section.id === 'installation') return null
  const tabs = tabsOf(place.section)
  if (tabs.length < 2) return null
  return (
    <nav class="tabs" ref={strip} aria-label={place.section.label[language]}>
      {tabs.map(({ path, label }) => (
        <Link key={path} href={path} aria-current={path === place.tab?.path ? 'page' : undefined}>
          <span class="label">{label?.[language]}</span>
          <Badge pages={[{ path }]} />
        </Link>
      ))}
    </nav>
  )
}
