import { useEffect, useRef } from 'preact/hooks'

/**
 * Returns a ref for a strip of links that scrolls on narrow screens. The current link is brought into view, also when
 * `current` changes. `scrollIntoView` would scroll the page, too.
 */
export function useScrolledStrip(current: string | undefined) {
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = strip.current?.querySelector<HTMLElement>('[aria-current]')
    if (!strip.current || !link) return
    strip.current.scrollLeft = link.offsetLeft - (strip.current.clientWidth - link.offsetWidth) / 2
  }, [current])
  return strip
}
