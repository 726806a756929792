import { useEffect, useState } from 'preact/hooks'
import { createTexts } from '../text/languages.tsx'
import { Dialog } from './dialog.tsx'
import { registerLeaving } from './leaving.ts'

const useTexts = createTexts(
  {
    title: 'Leave without saving?',
    text: 'Your changes on this page have not been saved.',
    leave: 'Leave without saving',
    stay: 'Stay on this page',
  },
  {
    title: 'Quitter sans enregistrer ?',
    text: 'Vos modifications sur cette page n’ont pas été enregistrées.',
    leave: 'Quitter sans enregistrer',
    stay: 'Rester sur cette page',
  },
)

/**
 * Asks users before they open another page or close the tab, while they have unsaved changes. Browsers have their
 * own question for closing a tab.
 */
export function LeaveWarning({ isUnsaved }: { isUnsaved: boolean }) {
  const t = useTexts()
  const [leave, setLeave] = useState<() => void>()
  useEffect(() => {
    if (!isUnsaved) return undefined
    const unregister = registerLeaving((leave) => setLeave(() => leave))
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => {
      unregister()
      removeEventListener('beforeunload', warn)
    }
  }, [isUnsaved])
  if (!leave) return null
  const close = () => setLeave(undefined)
  return (
    <Dialog title={t.title} onClose={close}>
      <p>{t.text}</p>
      <div class="actions">
        <button type="button" class="main" onClick={close}>
          {t.stay}
        </button>
        <button
          type="button"
          class="quiet danger"
          onClick={() => {
            close()
            leave()
          }}
        >
          {t.leave}
        </button>
      </div>
    </Dialog>
  )
}
