import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * On navigation, moves the scroll position, the keyboard focus and the screen reader to the top of the page, as
 * loading a page would. Going back restores the previous position.
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
