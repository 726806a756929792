import { useEffect } from 'preact/hooks'

/**
 * Moves the focus through the rows of lists with j and k; Enter opens the row in focus, because it is a link. The keys
 * act only while the focus is in the content and not in a field, so that they do not disturb voice input.
 */
export function useRowKeys(): void {
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const step = { j: 1, k: -1 }[event.key]
      const { activeElement: active } = document
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return
      if (!active?.closest('#content') || active.matches('select, textarea, input:not([type=checkbox])'))
        return
      if (active.closest('dialog')) return
      const rows = [...document.querySelectorAll<HTMLElement>('#content a.row')]
      const current = rows.findIndex((row) => row.closest('tr')?.contains(active))
      const next = rows[current < 0 ? 0 : current + step]
      next?.focus()
      next?.scrollIntoView({ block: 'nearest' })
    }
    addEventListener('keydown', move)
    return () => removeEventListener('keydown', move)
  }, [])
}
