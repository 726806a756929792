import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { useLive } from '../api/live.ts'
import { useIsReachable } from '../api/reachability.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { Account } from './account.tsx'
import { Menu } from './menu.tsx'
import { usePageFocus } from './page-focus.ts'
import { Switches } from './switches.tsx'
import { useTexts } from './texts.ts'

/** The layout of every page: the menu, the switches for the Space and the environment, and the content. */
export function Frame({ children }: { children: ComponentChildren }) {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const isLive = useLive(scope)
  const isReached = useIsReachable()
  const [location] = useLocation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  useEffect(() => setMenuOpen(false), [location])
  usePageFocus(location)
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
        <div role="status">{!isReached && <p class="offline">{t.offline}</p>}</div>
        {scope.environment === 'test' && <p class="test">{t.testNotice}</p>}
      </header>
      <nav id="menu" class="menu" aria-label={t.menu}>
        <Menu />
        <Account />
      </nav>
      <main id="content" tabIndex={-1} onFocusCapture={() => setMenuOpen(false)}>
        {children}
      </main>
    </div>
  )
}
