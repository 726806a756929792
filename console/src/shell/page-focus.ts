import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * On navigation, moves scroll, keyboard focus and screen reader to the top, like a page load. Going back
 * restores the previous position.
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
  // Runs before the page can be seen or receive a key press, so that it does not take focus from the user.
  useLayoutEffect(() => {
    if (last.current === path) return
    last.current = path
    document.getElementById('content')?.focus({ preventScroll: true })
    if (!isBack.current) scrollTo(0, 0)
    isBack.current = false
  }, [path])
}
