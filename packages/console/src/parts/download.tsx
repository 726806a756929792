import { useState } from 'preact/hooks'
import { type ApiCall, type ArgumentsOf, download } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { createTexts } from '../text/languages.tsx'
import { ErrorNotice } from './notices.tsx'

const useTexts = createTexts(
  { csv: 'Download CSV', excel: 'Excel', excelLabel: 'Download Excel', isDownloading: 'Preparing the file…' },
  {
    csv: 'Télécharger le CSV',
    excel: 'Excel',
    excelLabel: 'Télécharger le fichier Excel',
    isDownloading: 'Préparation du fichier…',
  },
)

type ButtonProps = {
  name: string
  label?: string | undefined
  /** Full name of the button, for screen readers, if its label is short. It contains the label. */
  fullLabel?: string | undefined
  get(): Promise<Blob>
}

/** A button that downloads a file and saves it as `name`. */
export function DownloadButton({ name, label, fullLabel, get }: ButtonProps) {
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
      <button
        type="button"
        class="quiet"
        disabled={isBusy}
        aria-label={isBusy ? undefined : fullLabel}
        onClick={() => void save()}
      >
        {isBusy ? t.isDownloading : (label ?? t.csv)}
      </button>
      <ErrorNotice error={error} />
    </>
  )
}

/** Returns the name of a CSV file that contains the data of today. */
export const nameOfToday = (stem: string) =>
  `${stem}-${new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)}.csv`

type ExportProps<Called extends ApiCall> = {
  /** The call that exports the list or report. */
  of: Called
  args: ArgumentsOf<Called>
  /** Name of the file, which ends with `.csv` unless there is a `type`. */
  name: string
  label?: string
  /** Full name of the second button. */
  excelLabel?: string
  /** A single media type to download instead. */
  type?: string
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Buttons that download a list or report, by default as CSV and as a spreadsheet. */
export function ExportButton<Called extends ApiCall>(props: ExportProps<Called>) {
  const { of, args, name, label, excelLabel, type } = props
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const get = (type: string) => () => download(of, args, type, scope)
  if (type) return <DownloadButton {...{ name, label }} get={get(type)} />
  return (
    <span class="joined">
      <DownloadButton {...{ name, label }} get={get('text/csv')} />
      <DownloadButton
        name={name.replace(/csv$/, 'xlsx')}
        label={t.excel}
        fullLabel={excelLabel ?? t.excelLabel}
        get={get(xlsxType)}
      />
    </span>
  )
}
