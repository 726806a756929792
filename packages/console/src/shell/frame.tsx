import { Menu as MenuIcon, X } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { useLive } from '../api/live.ts'
import { useIsReachable } from '../api/reachability.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { placeOf } from '../parts/addresses.ts'
import { Account } from './account.tsx'
import { Menu } from './menu.tsx'
import { usePageFocus } from './page-focus.ts'
import { useRowKeys } from './row-keys.ts'
import { Search } from './search.tsx'
import { EnvironmentSwitch, SpaceSwitch } from './space.tsx'
import { Tabs } from './tabs.tsx'
import { useTexts } from './texts.ts'

/** The layout of every page: the menu, the bar, the tabs of the section, and the content. */
export function Frame({ children }: { children: ComponentChildren }) {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const isLive = useLive(scope)
  const isReached = useIsReachable()
  const [location] = useLocation()
  const isInstallation = placeOf(location)?.section.id === 'installation'
  const { isMenuOpen, setMenuOpen, menu, button } = useDrawer(location)
  usePageFocus(location)
  useRowKeys()
  return (
    <div class={isMenuOpen ? 'frame menu-open' : 'frame'}>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <header>
        <div class="bar">
          <button
            type="button"
            class="icon-button menu-button"
            ref={button}
            aria-expanded={isMenuOpen}
            aria-controls="menu"
            aria-label={t.menu}
            onClick={() => setMenuOpen(true)}
          >
            <MenuIcon />
          </button>
          <Search />
          {!isInstallation && <EnvironmentSwitch />}
          <span class={isLive ? 'live on' : 'live'} role="status" title={isLive ? t.live : t.notLive}>
            <span class="unseen">{isLive ? t.live : t.notLive}</span>
          </span>
        </div>
        <div role="status">{!isReached && <p class="offline">{t.offline}</p>}</div>
        {scope.environment === 'test' && !isInstallation && <p class="test">{t.testNotice}</p>}
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape and the button do this, too. */}
      {isMenuOpen && <div class="backdrop" onClick={() => setMenuOpen(false)} />}
      <nav id="menu" class="menu" ref={menu} aria-label={t.menu}>
        <div class="product">
          <Link href="/">
            <Mark />
            Pesewa
          </Link>
          <button
            type="button"
            class="icon-button close-menu"
            aria-label={t.closeMenu}
            onClick={() => setMenuOpen(false)}
          >
            <X />
          </button>
        </div>
        {!isInstallation && <SpaceSwitch />}
        <div class="entries">
          <Menu />
        </div>
        <Account />
      </nav>
      <Tabs />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/**
 * On narrow screens, the menu is a drawer. It takes the focus when it opens. It closes on Escape, on navigation and
 * when the focus moves elsewhere.
 */
function useDrawer(location: string) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const menu = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => setMenuOpen(false), [location])
  useEffect(() => {
    if (!isMenuOpen) return undefined
    menu.current?.querySelector<HTMLElement>('.entries a')?.focus()
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setMenuOpen(false)
      button.current?.focus()
    }
    const leave = ({ target }: FocusEvent) => {
      if (target instanceof Node && !menu.current?.contains(target)) setMenuOpen(false)
    }
    addEventListener('keydown', close)
    addEventListener('focusin', leave)
    return () => {
      removeEventListener('keydown', close)
      removeEventListener('focusin', leave)
    }
  }, [isMenuOpen])
  return { isMenuOpen, setMenuOpen, menu, button }
}

/** The sign of the product: a coin whose two halves balance. */
const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
    <path d="M12 2a10 10 0 0 0 0 20z" />
    <path d="M14 2.2a10 10 0 0 1 0 19.6z" />
  </svg>
)
