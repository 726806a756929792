import { Search as SearchIcon } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { Boundary, lazyComponent } from '../parts/code-loading.tsx'
import { useTexts } from './texts.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const load = () => import('./search-dialog.tsx')

/** The button that opens the search. ⌘K and Ctrl+K do the same on every page. */
export function Search() {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  const SearchDialog = lazyComponent(load, null)
  return (
    <>
      <button
        type="button"
        class="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <SearchIcon size={18} />
        <span>{t.search}</span>
        <span class="key" aria-hidden="true">
          {isApple ? t.searchKeys.apple : t.searchKeys.others}
        </span>
      </button>
      {isOpen && (
        <Boundary isOptional>
          <SearchDialog onClose={() => setOpen(false)} />
        </Boundary>
      )}
    </>
  )
}
