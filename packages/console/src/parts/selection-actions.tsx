import { X } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { createTexts } from '../text/languages.tsx'
import { csvFile } from './csv.ts'
import { DownloadButton, nameOfToday } from './download.tsx'

const useTexts = createTexts(
  {
    chosen: (count: number) => `${count} selected`,
    clear: 'Clear the selection',
    actions: 'Actions for the selection',
  },
  {
    chosen: (count: number) => (count === 1 ? '1 sélectionné' : `${count} sélectionnés`),
    clear: 'Effacer la sélection',
    actions: 'Actions sur la sélection',
  },
)

export type SelectionProps<Row> = {
  chosen: readonly Row[]
  file: string
  clear(): void
  children?: ComponentChildren
}

/** The number of selected rows, and the actions for them. */
export default function SelectionActions<Row extends object>({
  chosen,
  file,
  clear,
  children,
}: SelectionProps<Row>) {
  const t = useTexts()
  return (
    <section aria-label={t.actions}>
      <strong>{t.chosen(chosen.length)}</strong>
      {children}
      <DownloadButton name={nameOfToday(file)} get={async () => csvFile(chosen)} />
      <button type="button" class="icon-button" aria-label={t.clear} onClick={clear}>
        <X size={20} />
      </button>
    </section>
  )
}
