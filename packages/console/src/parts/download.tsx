import { useState } from 'preact/hooks'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { ErrorNotice } from './notices.tsx'

const texts = inLanguages(
  { csv: 'Download CSV', isDownloading: 'Preparing the file…' },
  { csv: 'Télécharger le CSV', isDownloading: 'Préparation du fichier…' },
)

/** A button that downloads a file and saves it as `name`. */
export function DownloadButton({ name, label, get }: { name: string; label?: string; get(): Promise<Blob> }) {
  const t = useTexts(texts)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const address = URL.createObjectURL(await get())
      const link = document.createElement('a')
      link.href = address
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    } catch (failure) {
      setError(failure as Error)
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" class="quiet" disabled={isBusy} onClick={() => void save()}>
        {isBusy ? t.isDownloading : (label ?? t.csv)}
      </button>
      <ErrorNotice error={error} />
    </>
  )
}
