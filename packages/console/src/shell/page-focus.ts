import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * On navigation, scrolls to the top and moves the keyboard and screen reader focus there, as loading a page
 * would. On back and forward, the browser restores the scroll position.
 */
export function usePageFocus(path: string): void {
  const last = useRef(path)
  const isBack = useRef(false)
  useEffect(() => {
    const note = () => {
      isBack.current = true
    }
    addEventListener('popstate', note)
    return () => removeEventListener('popstate', note)
  }, [])
  // Runs before the user can see the page or press a key, so that it does not take focus away from them.
  useLayoutEffect(() => {
    if (last.current === path) return
    last.current = path
    document.getElementById('content')?.focus({ preventScroll: true })
    if (!isBack.current) scrollTo(0, 0)
    isBack.current = false
  }, [path])
}
