import { ArrowLeft } from 'lucide-preact'
import { Link, useLocation } from 'wouter-preact'
import { useCurrentSpace, usePermissions } from '../api/scope.tsx'
import { type Address, type MenuSection, placeOf, sections } from '../parts/addresses.ts'
import { useLanguage } from '../text/languages.tsx'
import { Badge } from './badge.tsx'
import { icons } from './icons.ts'
import { useTexts } from './texts.ts'

/** Returns a function that returns the tabs of a section that the user may open. */
export function useTabs(): (section: MenuSection) => Address[] {
  const may = usePermissions()
  return ({ pages }) => pages.filter(({ label, permission }) => label && (!permission || may(permission)))
}

/**
 * The sections that the user may open; each links to its first tab. The installation has its own menu, so that
 * operators always see whether they work on one Space or on all of them.
 */
export function Menu() {
  const [location] = useLocation()
  return placeOf(location)?.section.id === 'installation' ? <InstallationMenu /> : <SpaceMenu />
}

function SpaceMenu() {
  const { language } = useLanguage()
  const [location] = useLocation()
  const tabsOf = useTabs()
  const here = placeOf(location)?.section.id
  return (
    <ul>
      {sections.map((section) => {
        const tabs = tabsOf(section)
        const [first] = tabs
        const Icon = icons[section.id]
        if (!first) return null
        return (
          <li key={section.id} class={section.id}>
            <Link href={first.path} aria-current={section.id === here ? 'page' : undefined}>
              <Icon size={20} />
              <span class="label">{section.label[language]}</span>
              <Badge pages={tabs} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

function InstallationMenu() {
  const t = useTexts()
  const { space } = useCurrentSpace()
  const { language } = useLanguage()
  const [location] = useLocation()
  const tabsOf = useTabs()
  const place = placeOf(location)
  if (!place) return null
  return (
    <>
      <p class="back">
        <Link href="/">
          <ArrowLeft size={20} />
          {t.backTo(space.name)}
        </Link>
      </p>
      <h2>{place.section.label[language]}</h2>
      <ul>
        {tabsOf(place.section).map(({ path, label }) => (
          <li key={path}>
            <Link href={path} aria-current={place.tab?.path === path ? 'page' : undefined}>
              <span class="label">{label?.[language]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
