import { useState } from 'preact/hooks'
import { type ApiCall, type ArgumentsOf, download } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { createTexts } from '../text/languages.tsx'
import { ErrorNotice } from './notices.tsx'

const useTexts = createTexts(
  { csv: 'Download CSV', isDownloading: 'Preparing the file…' },
  { csv: 'Télécharger le CSV', isDownloading: 'Préparation du fichier…' },
)

/** A button that downloads a file and saves it as `name`. */
export function DownloadButton({ name, label, get }: { name: string; label?: string; get(): Promise<Blob> }) {
  const t = useTexts()
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

type ExportProps<Called extends ApiCall> = {
  /** The call that exports the list or report. */
  of: Called
  args: ArgumentsOf<Called>
  name: string
  label?: string
  type?: string
}

/** A button that downloads a list or report, by default as CSV. */
export function ExportButton<Called extends ApiCall>(props: ExportProps<Called>) {
  const { of, args, type = 'text/csv', ...button } = props
  const { scope } = useCurrentSpace()
  return <DownloadButton {...button} get={() => download(of, args, type, scope)} />
}
