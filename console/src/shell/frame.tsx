import { useMutation, useQueryClient } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { type ApiError, call } from '../api/client.ts'
import { useLive } from '../api/live.ts'
import { useHere, useMay } from '../api/scope.tsx'
import { type Address, addresses, type PageGroup } from '../pages/addresses.ts'
import { useLanguage, useTexts } from '../text/languages.tsx'
import { type Language, languages } from '../text/texts.ts'
import { useArrival } from './arrival.ts'
import { texts } from './texts.ts'

/** What stands around every page: the menu, whose data it is, and whether money is real. */
export function Frame({ children }: { children: ComponentChildren }) {
  const t = useTexts(texts)
  const { scope } = useHere()
  const may = useMay()
  const isLive = useLive(scope, may('events:read'))
  const [location] = useLocation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  useEffect(() => setMenuOpen(false), [location])
  useArrival(location)
  return (
    <div class={isMenuOpen ? 'frame menu-open' : 'frame'}>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <header>
        <div class="bar">
          <button
            type="button"
            class="menu-button"
            aria-expanded={isMenuOpen}
            aria-controls="menu"
            aria-label={isMenuOpen ? t.closeMenu : t.menu}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <path d={isMenuOpen ? 'M6 6l12 12M18 6L6 18' : 'M4 7h16M4 12h16M4 17h16'} />
            </svg>
          </button>
          <Switches />
          <span class={isLive ? 'live on' : 'live'} role="status">
            <span class="unseen">{isLive ? t.live : t.notLive}</span>
          </span>
        </div>
        {scope.environment === 'test' && <p class="test">{t.testNotice}</p>}
      </header>
      <nav id="menu" class="menu" aria-label={t.menu}>
        <Menu />
        <Account />
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** Which Space, and whether money is real. The page stays, its object does not. */
function Switches() {
  const t = useTexts(texts)
  const { me, space, scope } = useHere()
  const [, navigate] = useLocation()
  const [page = ''] = /^\/[\w-]*/.exec(useLocation()[0]) ?? []
  const go = (spaceId: string, environment: string) => navigate(`~/console/${spaceId}/${environment}${page}`)
  return (
    <div class="switches">
      <label>
        <span class="unseen">{t.space}</span>
        <select value={space.id} onChange={(event) => go(event.currentTarget.value, scope.environment)}>
          {me.spaces.map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">{t.environment}</span>
        <select value={scope.environment} onChange={(event) => go(space.id, event.currentTarget.value)}>
          <option value="test">{t.environments.test}</option>
          <option value="live">{t.environments.live}</option>
        </select>
      </label>
    </div>
  )
}

const groups: PageGroup[] = ['money', 'finance', 'build', 'space', 'installation']

function Menu() {
  const t = useTexts(texts)
  const { language } = useLanguage()
  const may = useMay()
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

function Account() {
  const t = useTexts(texts)
  const { me } = useHere()
  const { language, choose } = useLanguage()
  return (
    <section class="account">
      <p>
        <span class="unseen">{t.signedInAs}</span> {me.user.email}
      </p>
      <p>
        <Link href="/security">{t.security}</Link>
      </p>
      {me.caller.type === 'session' && <SignOut />}
      <label>
        <span class="unseen">{t.language}</span>
        <select value={language} onChange={(event) => choose(event.currentTarget.value as Language)}>
          {Object.entries(languages).map(([code, name]) => (
            <option value={code} key={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

function SignOut() {
  const t = useTexts(texts)
  const client = useQueryClient()
  const signOut = useMutation<unknown, ApiError, void>({
    mutationFn: () => call('POST /v1/sign-out', {}, { scope: undefined }),
    // Nothing of what was read stays in this browser.
    onSuccess: () => {
      client.clear()
      location.assign('/console/sign-in')
    },
  })
  return (
    <button type="button" class="quiet" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
      {t.signOut}
    </button>
  )
}
