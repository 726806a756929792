import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Another page begins at its top, and with it the keyboard and what is read aloud, as if it had been loaded. The way back
 * leads to where one was.
 */
export function useArrival(path: string): void {
  const last = useRef(path)
  const isBack = useRef(false)
  useEffect(() => {
    const note = () => {
      isBack.current = true
    }
    addEventListener('popstate', note)
    return () => removeEventListener('popstate', note)
  }, [])
  // Before anybody can see it or press a key: what they have focused by then is not to lose it.
  useLayoutEffect(() => {
    if (last.current === path) return
    last.current = path
    document.getElementById('content')?.focus({ preventScroll: true })
    if (!isBack.current) scrollTo(0, 0)
    isBack.current = false
  }, [path])
}
