import type { ComponentChildren } from 'preact'
import { Link, useLocation } from 'wouter-preact'
import { usePermissions } from '../api/scope.tsx'
import { type Address, addresses, type PageGroup } from '../parts/addresses.ts'
import { useLanguage } from '../text/languages.tsx'
import { useTexts } from './texts.ts'

const groups: PageGroup[] = ['money', 'finance', 'build', 'space', 'installation']

export function Menu() {
  const t = useTexts()
  const { language } = useLanguage()
  const may = usePermissions()
  const all: readonly Address[] = addresses
  const shown = all.filter(({ label, permission }) => label && (!permission || may(permission)))
  return (
    <>
      {[undefined, ...groups].map((group) => {
        const ofGroup = shown.filter((page) => page.group === group)
        if (ofGroup.length === 0) return null
        return (
          <section key={group ?? ''}>
            {group && <h2>{t.groups[group]}</h2>}
            <ul>
              {ofGroup.map(({ path, label }) => (
                <li key={path}>
                  <MenuLink path={path}>{label?.[language]}</MenuLink>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

function MenuLink({ path, children }: { path: string; children: ComponentChildren }) {
  const [location] = useLocation()
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
  return (
    <Link href={path} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  )
}
